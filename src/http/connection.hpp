#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/task.hpp"
#include "http/exchange.hpp"
#include "http/head_scanner.hpp"
#include "http/input_buffer.hpp"
#include "http/message_parser.hpp"
#include "http/places.hpp"
#include "http/socket.hpp"
#include "observe/request_id.hpp"

namespace sluice::http {

class Loop;
class WebSocket;

/// What answers requests, and what is told of the answers.
struct Answering {
    Handler serve;
    /// Whether the rest of a request should be waited for, judged by its head. False: the exchange
    /// holds the answer.
    std::function<bool(Exchange&)> screen;
    /// How long a body may be where that is more than usual, else 0.
    std::function<std::size_t(const Request&, Surfaces)> longest_body;
    /// Whether an address may have any number of connections. From any thread.
    std::function<bool(const Address&)> is_unbounded;
    /// Whether connections from there are to end. From any thread.
    std::function<bool(const Address&)> is_blocked;
    /// Called on the loop's thread for every answer; must not block or throw.
    std::function<void(unsigned thread, const Exchange&, std::chrono::nanoseconds took)> on_answer;
    /// Called on a loop's thread when it is drained: everything else on the loop has to end now,
    /// since the loop runs until it has.
    std::function<void(AsioLoop&)> on_loop_end = [](AsioLoop&) {};
};

/// One client's connection. Reads requests, has them answered one after the other, and writes all
/// answers that are ready in one go. Lives on one loop and is used by that loop's thread only.
class Connection {
  public:
    /// The seat is one of the places, and outlives the connection.
    Connection(Socket socket, Address peer, Surfaces surfaces, const Answering& answering,
               Loop& loop, Places& places, Seat& seat);
    ~Connection();

    /// Runs until the client leaves, times out or is refused, or the server drains.
    Flow<> run();

    /// Ends the connection when its time is up; also when it is idle while the server drains or
    /// there are nearly too many connections.
    void tick(std::chrono::steady_clock::time_point now, bool draining);

    /// Its network has more than its fair share, or is blocked: at once when no request is under
    /// way, else after the answer.
    void leave_soon();

    void close();

  private:
    enum class Phase { idle, head, body, handling, writing, lingering };

    /// The outcome of waiting for a request's body that did not come with its head.
    enum class Body { whole, not_wanted, broken };

    /// Reads the head that has arrived and the part of the body that is there. Returns the code to
    /// refuse it with, or nothing.
    std::optional<Code> read_head();
    std::optional<Code> take_body();
    /// Whether the connection may stay open after the answer to this request.
    bool may_stay_open();
    /// Passes the whole request to the handler.
    Pending pass_to_handler();
    /// While places are short, the connection of a proxy counts for whom it works.
    void note_client();

    /// Checks the request by its head first; a refusal is sent at once.
    Flow<Body> wait_for_body();
    /// Whether one more of this client's requests may be waited for. False: the exchange holds the
    /// answer.
    bool may_wait();

    // False: the connection has to be closed.
    Flow<bool> read_body();
    Flow<bool> answer_early();
    Flow<bool> receive();
    Flow<bool> send_rest();
    Flow<bool> send_from_owner();
    Flow<bool> send_pieces();
    /// Sends all that waits to be written.
    Flow<bool> flush();

    Flow<> refuse_and_close(Code code);
    Flow<> half_close();
    Flow<> become_web_socket();

    /// Writes what the socket takes without waiting; true when that was everything.
    bool send_now();
    void identify();
    Framing framing(bool keep_alive) const;
    bool answer(bool keep_alive);
    void rest();
    void reset();
    Doing doing_in(Phase phase) const;
    void enter(Phase phase);
    void record(std::chrono::nanoseconds took);

    Socket socket_;
    const Answering& answering_;
    Loop& loop_;
    Places& places_;
    Seat& seat_;
    bool lent_ = false;  // lent to the client of this request
    Phase phase_ = Phase::idle;
    std::chrono::steady_clock::time_point phase_began_;
    std::chrono::steady_clock::time_point deadline_;

    InputBuffer in_;
    HeadScanner scanner_;
    MessageParser::LongestBody longest_body_;
    std::optional<MessageParser> parser_;
    std::string body_;
    std::string out_;
    Exchange exchange_;
    std::array<char, kRequestIdLength> request_id_{};
    std::size_t served_ = 0;
    std::unique_ptr<WebSocket> web_socket_;  // set once it has become a WebSocket
};

}  // namespace sluice::http
