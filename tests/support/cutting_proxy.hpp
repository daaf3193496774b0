#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <thread>

#include "support/temp_folder.hpp"

namespace sluice::testing_support {

/// Stands between a client and a server, on socket files or on ports of this machine, and cuts the
/// connection at a chosen byte. One connection at a time.
class CuttingProxy {
  public:
    explicit CuttingProxy(const std::filesystem::path& server);
    explicit CuttingProxy(std::uint16_t server_port);
    CuttingProxy(const CuttingProxy&) = delete;
    CuttingProxy& operator=(const CuttingProxy&) = delete;
    ~CuttingProxy();

    std::filesystem::path socket() const { return folder_ / "proxy.sock"; }
    std::uint16_t port() const;

    /// Cuts, once, when this many more bytes have been sent to the client, or to the server.
    void cut_answer_after(long bytes) { answer_left_ = bytes; }
    void cut_request_after(long bytes) { request_left_ = bytes; }
    /// Cancels the cut, if it has not happened yet.
    void cut_no_more() { answer_left_ = request_left_ = kNever; }
    bool has_cut() const { return answer_left_ == kNever && request_left_ == kNever; }

  private:
    static constexpr long kNever = -1;

    void begin();
    void serve();
    void pass_on(int client, int server);
    static bool move(int from, int to, std::atomic<long>& left);

    TempFolder folder_;
    const std::function<int()> connect_;  // a socket, negative when the server is not there
    std::atomic<long> answer_left_ = kNever, request_left_ = kNever;
    int listener_ = -1;
    int end_[2] = {-1, -1};  // readable when it shall end
    std::jthread thread_;
};

}  // namespace sluice::testing_support
