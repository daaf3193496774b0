#include "support/cutting_proxy.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.hpp"

namespace sluice::testing_support {
namespace {

sockaddr_un address_of(const std::filesystem::path& file) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto name = file.string();
    CHECK(name.size() < sizeof address.sun_path, "the name of a socket file is short");
    std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
    return address;
}

const sockaddr* as_any(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

int make_socket() {
    const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(made >= 0, "a socket can be made");
    return made;
}

}  // namespace

CuttingProxy::CuttingProxy(std::filesystem::path server)
    : server_(std::move(server)), listener_(make_socket()) {
    const auto address = address_of(socket());
    CHECK(::bind(listener_, as_any(address), sizeof address) == 0, "a socket file can be made");
    CHECK(::listen(listener_, 16) == 0, "it can be listened at");
    CHECK(::pipe2(end_, O_CLOEXEC) == 0, "a pipe can be made");
    thread_ = std::jthread([this] { serve(); });
}

CuttingProxy::~CuttingProxy() {
    ::close(end_[1]);
    thread_.join();
    ::close(end_[0]);
    ::close(listener_);
}

void CuttingProxy::serve() {
    for (;;) {
        pollfd waits[2] = {{listener_, POLLIN, 0}, {end_[0], POLLIN, 0}};
        ::poll(waits, 2, -1);
        if (waits[1].revents != 0) return;
        const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        const int server = make_socket();
        const auto address = address_of(server_);
        if (::connect(server, as_any(address), sizeof address) == 0) pass_on(client, server);
        ::close(client);
        ::close(server);
    }
}

void CuttingProxy::pass_on(int client, int server) {
    for (;;) {
        pollfd waits[3] = {{client, POLLIN, 0}, {server, POLLIN, 0}, {end_[0], POLLIN, 0}};
        ::poll(waits, 3, -1);
        if (waits[2].revents != 0) return;
        if (waits[0].revents != 0 && !move(client, server, request_left_)) return;
        if (waits[1].revents != 0 && !move(server, client, answer_left_)) return;
    }
}

/// False when the connection has ended or is to be cut.
bool CuttingProxy::move(int from, int to, std::atomic<long>& left) {
    char bytes[64 * 1024];
    const auto size = ::recv(from, bytes, sizeof bytes, 0);
    if (size <= 0) return false;
    const long allowed = left;
    const auto passed = allowed == kNever ? size : std::min(size, static_cast<ssize_t>(allowed));
    if (::send(to, bytes, static_cast<std::size_t>(passed), MSG_NOSIGNAL) != passed) return false;
    if (allowed == kNever) return true;
    left = allowed - passed;
    if (passed == size && left > 0) return true;
    left = kNever;
    return false;
}

}  // namespace sluice::testing_support
