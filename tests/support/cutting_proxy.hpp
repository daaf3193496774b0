#pragma once

#include <atomic>
#include <filesystem>
#include <thread>

#include "support/temp_folder.hpp"

namespace sluice::testing_support {

/// Stands between a client and a server on socket files, and cuts the connection at a byte of one's
/// choice. One connection at a time.
class CuttingProxy {
  public:
    explicit CuttingProxy(std::filesystem::path server);
    CuttingProxy(const CuttingProxy&) = delete;
    CuttingProxy& operator=(const CuttingProxy&) = delete;
    ~CuttingProxy();

    std::filesystem::path socket() const { return folder_ / "proxy.sock"; }

    /// Cuts, once, when so many more bytes have gone to the client, or to the server.
    void cut_answer_after(long bytes) { answer_left_ = bytes; }
    void cut_request_after(long bytes) { request_left_ = bytes; }
    bool has_cut() const { return answer_left_ == kNever && request_left_ == kNever; }

  private:
    static constexpr long kNever = -1;

    void serve();
    void pass_on(int client, int server);
    static bool move(int from, int to, std::atomic<long>& left);

    const std::filesystem::path server_;
    TempFolder folder_;
    std::atomic<long> answer_left_ = kNever, request_left_ = kNever;
    int listener_ = -1;
    int end_[2] = {-1, -1};  // readable when it shall end
    std::jthread thread_;
};

}  // namespace sluice::testing_support
