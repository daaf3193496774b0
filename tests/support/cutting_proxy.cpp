#include "support/cutting_proxy.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <netinet/in.h>
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

sockaddr_in address_of(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

template <class Address>
const sockaddr* as_any(const Address& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

int make_socket(int family) {
    const int made = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(made >= 0, "a socket can be made");
    return made;
}

template <class Address>
std::function<int()> connection_to(const Address& address) {
    return [address] {
        const int made = make_socket(as_any(address)->sa_family);
        if (::connect(made, as_any(address), sizeof address) == 0) return made;
        ::close(made);
        return -1;
    };
}

}  // namespace

CuttingProxy::CuttingProxy(const std::filesystem::path& server)
    : connect_(connection_to(address_of(server))), listener_(make_socket(AF_UNIX)) {
    const auto address = address_of(socket());
    CHECK(::bind(listener_, as_any(address), sizeof address) == 0, "a socket file can be made");
    begin();
}

CuttingProxy::CuttingProxy(std::uint16_t server_port)
    : connect_(connection_to(address_of(server_port))), listener_(make_socket(AF_INET)) {
    const auto address = address_of(std::uint16_t{0});
    CHECK(::bind(listener_, as_any(address), sizeof address) == 0, "a port is free");
    begin();
}

void CuttingProxy::begin() {
    CHECK(::listen(listener_, 16) == 0, "it can be listened at");
    CHECK(::pipe2(end_, O_CLOEXEC) == 0, "a pipe can be made");
    thread_ = std::jthread([this] { serve(); });
}

std::uint16_t CuttingProxy::port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    CHECK(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0,
          "a socket has a name");
    return ntohs(address.sin_port);
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
        const int server = connect_();
        if (server >= 0) {
            pass_on(client, server);
            ::close(server);
        }
        ::close(client);
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
