#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

#include "adapters/rabbitmq/options.hpp"
#include "adapters/rabbitmq/topology.hpp"

namespace sluice::rabbitmq {

/// The connection has ended, or could not be made, or the broker has refused something; with the
/// reason.
class Lost : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct Message {
    std::string body;
    std::string content_type;
    std::string reason = {};  // why it is parked or unreadable
    std::string id = {};      // by which a return names it
};

// What the broker reports without being asked, and answers for which we do not wait.
struct Confirmed {  // or not: an ack or a nack of a post
    std::uint64_t tag = 0;
    bool is_multiple = false;  // of all up to this one
    bool is_kept = false;
};
struct Returned {  // no queue was there; a Confirmed of the same post follows
    std::string id;
    std::string reason;
};
struct Delivered {
    std::uint64_t tag = 0;
    bool is_again = false;
    Message message;
};
struct Declared {
    std::string queue;
    std::int64_t messages = 0;
    std::int64_t consumers = 0;
};
struct Blocked {  // it accepts no posts: memory or disk are short
    std::string reason;
};
struct Unblocked {};

using Event = std::variant<Confirmed, Returned, Delivered, Declared, Blocked, Unblocked>;

/// One connection to a broker, by librabbitmq, which is not thread-safe and sends heartbeats only
/// inside its calls: one thread uses it, and calls next() at least once a second. Every call may
/// throw Lost; then the connection cannot be used any more.
class Connection {
  public:
    /// Connects and logs in. Takes up to three times the time-out of the options.
    Connection(const Options& options, const Options::Host& host);
    /// Ends it at once. The broker delivers again what was not acknowledged.
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Readable when next() may have something.
    int socket() const;
    /// The next event; nothing if there is none. Never waits.
    std::optional<Event> next();

    /// Waits for the answer.
    Declared declare(const Queue& queue);
    /// The same, but the answer comes as an event.
    void look_at(const Queue& queue);

    /// From here on each post is answered by a Confirmed event; its tag is the number of the post,
    /// beginning with 1.
    void confirm_posts();
    void post(const Queue& queue, const Message& message);

    void consume(const Queue& queue, std::uint16_t prefetch);
    void acknowledge(std::uint64_t tag, bool is_multiple);

    /// Ends it after the broker has received what was sent.
    void close();

  private:
    struct Wire;

    const std::unique_ptr<Wire> wire_;
};

}  // namespace sluice::rabbitmq
