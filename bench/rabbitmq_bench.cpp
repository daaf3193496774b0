// Messages in a second on a bare RabbitMQ, by librabbitmq and nothing of ours: published to a
// quorum queue and confirmed, with as many unconfirmed as a node of the shop has; then taken, with
// one acknowledgement for many. rabbitmq_bench PORT MESSAGES BYTES [UNCONFIRMED]: the user sluice
// has the password sluice; the queue `bench` is made anew and removed.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <amqp.h>
#include <amqp_tcp_socket.h>

namespace sluice {
namespace {

using Stopwatch = std::chrono::steady_clock;

constexpr amqp_channel_t kChannel = 1;
constexpr std::uint16_t kPrefetch = 64;

struct Size {
    std::uint64_t messages = 0;
    std::size_t bytes = 0;
    std::uint64_t unconfirmed = 1'000;
};

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "rabbitmq_bench: %s\n", what);
    std::exit(1);
}

class Connection {
  public:
    explicit Connection(int port) : state_(amqp_new_connection()) {
        auto* const socket = amqp_tcp_socket_new(state_);
        if (!socket || amqp_socket_open(socket, "127.0.0.1", port) != AMQP_STATUS_OK)
            fail("no connection");
        expect(amqp_login(state_, "/", 0, AMQP_DEFAULT_FRAME_SIZE, 0, AMQP_SASL_METHOD_PLAIN,
                          "sluice", "sluice"));
        amqp_channel_open(state_, kChannel);
        expect(amqp_get_rpc_reply(state_));
    }
    ~Connection() { amqp_destroy_connection(state_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void make_queue() {
        remove_queue();
        amqp_table_entry_t kind{};
        kind.key = amqp_cstring_bytes("x-queue-type");
        kind.value.kind = AMQP_FIELD_KIND_UTF8;
        kind.value.value.bytes = amqp_cstring_bytes("quorum");
        amqp_queue_declare(state_, kChannel, queue_, 0, 1, 0, 0, {1, &kind});
        expect(amqp_get_rpc_reply(state_));
    }
    void remove_queue() {
        amqp_queue_delete(state_, kChannel, queue_, 0, 0);
        expect(amqp_get_rpc_reply(state_));
    }

    void publish(const Size& size) {
        amqp_confirm_select(state_, kChannel);
        expect(amqp_get_rpc_reply(state_));
        const std::string body(size.bytes, 'x');
        std::uint64_t sent = 0;
        kept_.assign(size.messages + 1, false);
        while (confirmed_ < size.messages) {
            if (sent < size.messages && sent - confirmed_ < size.unconfirmed) {
                send(body);
                ++sent;
            } else {
                hear_confirm();
            }
        }
    }

    void take(const Size& size) {
        amqp_basic_qos(state_, kChannel, 0, kPrefetch, 0);
        amqp_basic_consume(state_, kChannel, queue_, amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
        expect(amqp_get_rpc_reply(state_));
        for (std::uint64_t taken = 1; taken <= size.messages; ++taken) {
            amqp_envelope_t envelope;
            amqp_maybe_release_buffers(state_);
            expect(amqp_consume_message(state_, &envelope, nullptr, 0));
            if (taken % (kPrefetch / 2) == 0 || taken == size.messages)
                amqp_basic_ack(state_, kChannel, envelope.delivery_tag, 1);
            amqp_destroy_envelope(&envelope);
        }
    }

  private:
    void send(const std::string& body) {
        amqp_basic_properties_t properties{};
        properties._flags = AMQP_BASIC_DELIVERY_MODE_FLAG;
        properties.delivery_mode = AMQP_DELIVERY_PERSISTENT;
        const amqp_bytes_t bytes{body.size(), const_cast<char*>(body.data())};
        if (amqp_basic_publish(state_, kChannel, amqp_empty_bytes, queue_, 1, 0, &properties,
                               bytes) != AMQP_STATUS_OK)
            fail("a message could not be sent");
    }
    /// Of one message, or of all up to it. Single ones come in any order.
    void hear_confirm() {
        amqp_frame_t frame;
        amqp_maybe_release_buffers(state_);
        if (amqp_simple_wait_frame(state_, &frame) != AMQP_STATUS_OK) fail("the broker hung up");
        if (frame.frame_type != AMQP_FRAME_METHOD ||
            frame.payload.method.id != AMQP_BASIC_ACK_METHOD)
            fail("a message was not kept");
        const auto* const ack = static_cast<amqp_basic_ack_t*>(frame.payload.method.decoded);
        for (auto tag = ack->multiple ? all_kept_ + 1 : ack->delivery_tag; tag <= ack->delivery_tag;
             ++tag) {
            confirmed_ += kept_.at(tag) ? 0 : 1;
            kept_[tag] = true;
        }
        while (all_kept_ + 1 < kept_.size() && kept_[all_kept_ + 1]) ++all_kept_;
    }
    static void expect(const amqp_rpc_reply_t& reply) {
        if (reply.reply_type != AMQP_RESPONSE_NORMAL) fail("the broker refused");
    }

    amqp_connection_state_t state_;
    const amqp_bytes_t queue_ = amqp_cstring_bytes("bench");
    std::vector<bool> kept_;  // by tag, which counts from one
    std::uint64_t confirmed_ = 0, all_kept_ = 0;
};

double per_second(std::uint64_t count, Stopwatch::time_point began) {
    return static_cast<double>(count) /
           std::chrono::duration<double>(Stopwatch::now() - began).count();
}

int measure(int port, const Size& size) {
    Connection publisher(port);
    publisher.make_queue();
    auto began = Stopwatch::now();
    publisher.publish(size);
    std::printf("publish %.0f\n", per_second(size.messages, began));
    Connection consumer(port);
    began = Stopwatch::now();
    consumer.take(size);
    std::printf("consume %.0f\n", per_second(size.messages, began));
    publisher.remove_queue();
    return 0;
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
    if (argc != 4 && argc != 5)
        return std::fprintf(stderr, "usage: rabbitmq_bench PORT MESSAGES BYTES [UNCONFIRMED]\n"), 2;
    sluice::Size size;
    size.messages = std::strtoull(argv[2], nullptr, 10);
    size.bytes = std::strtoull(argv[3], nullptr, 10);
    if (argc == 5) size.unconfirmed = std::strtoull(argv[4], nullptr, 10);
    return sluice::measure(std::atoi(argv[1]), size);
}
