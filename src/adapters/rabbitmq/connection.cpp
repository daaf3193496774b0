#include "adapters/rabbitmq/connection.hpp"

#include <string_view>
#include <vector>

#include <amqp.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace sluice::rabbitmq {
namespace {

constexpr amqp_channel_t kWork = 1;  // posts and deliveries
constexpr amqp_channel_t kLook = 2;  // declarations, which must not delay the others
constexpr int kMostChannels = 2;
constexpr std::size_t kLongestReason = 1'000;
constexpr const char* kReasonHeader = "x-sluice-reason";

amqp_bytes_t bytes_of(std::string_view text) {
    return {text.size(), const_cast<char*>(text.data())};
}

std::string text_of(const amqp_bytes_t& bytes) {
    return {static_cast<const char*>(bytes.bytes), bytes.len};
}

timeval as_timeval(std::chrono::milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(time - seconds);
    return {seconds.count(), rest.count()};
}

amqp_table_entry_t entry(const char* key, std::string_view text) {
    amqp_table_entry_t made{};
    made.key = amqp_cstring_bytes(key);
    made.value.kind = AMQP_FIELD_KIND_UTF8;
    made.value.value.bytes = bytes_of(text);
    return made;
}

amqp_table_entry_t entry(const char* key, std::int64_t number) {
    amqp_table_entry_t made{};
    made.key = amqp_cstring_bytes(key);
    made.value.kind = AMQP_FIELD_KIND_I64;
    made.value.value.i64 = number;
    return made;
}

amqp_table_entry_t yes(const char* key) {
    amqp_table_entry_t made{};
    made.key = amqp_cstring_bytes(key);
    made.value.kind = AMQP_FIELD_KIND_BOOLEAN;
    made.value.value.boolean = 1;
    return made;
}

amqp_table_t table_of(std::vector<amqp_table_entry_t>& entries) {
    return {static_cast<int>(entries.size()), entries.data()};
}

/// The broker's explanation when it closes a connection or a channel.
std::string words_of(const amqp_method_t& method) {
    if (method.id == AMQP_CONNECTION_CLOSE_METHOD)
        return text_of(static_cast<const amqp_connection_close_t*>(method.decoded)->reply_text);
    if (method.id == AMQP_CHANNEL_CLOSE_METHOD)
        return text_of(static_cast<const amqp_channel_close_t*>(method.decoded)->reply_text);
    return "the broker said something that was not expected";
}

void expect(int status, const char* what) {
    if (status != AMQP_STATUS_OK) throw Lost(std::string(what) + ": " + amqp_error_string2(status));
}

void expect(const amqp_rpc_reply_t& reply, const char* what) {
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) return;
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION)
        throw Lost(std::string(what) + ": " + words_of(reply.reply));
    throw Lost(std::string(what) + ": " + amqp_error_string2(reply.library_error));
}

std::vector<amqp_table_entry_t> arguments_of(const Queue& queue) {
    std::vector<amqp_table_entry_t> arguments{entry("x-queue-type", "quorum")};
    if (queue.longest) {
        arguments.push_back(entry("x-max-length", *queue.longest));
        arguments.push_back(entry("x-overflow", "reject-publish"));
    }
    return arguments;
}

std::string reason_in(const amqp_basic_properties_t& properties) {
    if ((properties._flags & AMQP_BASIC_HEADERS_FLAG) == 0) return {};
    for (int at = 0; at < properties.headers.num_entries; ++at) {
        const auto& each = properties.headers.entries[at];
        if (text_of(each.key) == kReasonHeader && each.value.kind == AMQP_FIELD_KIND_UTF8)
            return text_of(each.value.value.bytes);
    }
    return {};
}

void note_properties(const amqp_basic_properties_t& properties, Message& message) {
    if ((properties._flags & AMQP_BASIC_CONTENT_TYPE_FLAG) != 0)
        message.content_type = text_of(properties.content_type);
    if ((properties._flags & AMQP_BASIC_MESSAGE_ID_FLAG) != 0)
        message.id = text_of(properties.message_id);
    message.reason = reason_in(properties);
}

}  // namespace

/// The library's connection, and the content that is being received.
struct Connection::Wire {
    const amqp_connection_state_t state = amqp_new_connection();

    Wire() {
        if (!state) throw Lost("no memory");
    }
    ~Wire() { amqp_destroy_connection(state); }
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    void open(const Options& options, const Options::Host& host);
    amqp_socket_t* make_socket(const Options& options);
    void set_trust(amqp_socket_t* socket, const Options::Tls& tls);
    void log_in(const Options& options);

    std::optional<Event> take(const amqp_frame_t& frame);
    std::optional<Event> take_method(const amqp_method_t& method);
    std::optional<Event> take_content_part(std::string_view part);

    // A return or a delivery whose content is being received.
    bool is_return = false;
    std::string return_reason;
    Delivered arriving;
    std::uint64_t body_size = 0;
};

Connection::Connection(const Options& options, const Options::Host& host)
    : wire_(std::make_unique<Wire>()) {
    wire_->open(options, host);
    wire_->log_in(options);
    for (const auto channel : {kWork, kLook}) {
        amqp_channel_open(wire_->state, channel);
        expect(amqp_get_rpc_reply(wire_->state), "cannot open a channel");
    }
}

Connection::~Connection() = default;

void Connection::Wire::open(const Options& options, const Options::Host& host) {
    auto* const socket = make_socket(options);
    const auto within = as_timeval(options.connect_within);
    expect(amqp_socket_open_noblock(socket, host.name.c_str(), host.port, &within),
           "cannot connect");
    // When the other end has stopped reading, the library waits for room to write without a limit.
    const auto longest = static_cast<unsigned>(options.confirm_within.count());
    ::setsockopt(amqp_get_sockfd(state), IPPROTO_TCP, TCP_USER_TIMEOUT, &longest, sizeof longest);
}

amqp_socket_t* Connection::Wire::make_socket(const Options& options) {
    auto* const socket = options.tls ? amqp_ssl_socket_new(state) : amqp_tcp_socket_new(state);
    if (!socket) throw Lost("no memory");
    if (options.tls) set_trust(socket, *options.tls);
    return socket;
}

void Connection::Wire::set_trust(amqp_socket_t* socket, const Options::Tls& tls) {
    amqp_ssl_socket_set_verify_peer(socket, 1);
    amqp_ssl_socket_set_verify_hostname(socket, 1);
    expect(amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST),
           "cannot choose the version of TLS");
    if (tls.ca.empty()) {
        auto* const context = static_cast<SSL_CTX*>(amqp_ssl_socket_get_context(socket));
        if (SSL_CTX_set_default_verify_paths(context) != 1)
            throw Lost("cannot read the system's certificate authorities");
    } else {
        expect(amqp_ssl_socket_set_cacert(socket, tls.ca.c_str()),
               "cannot read the file of certificate authorities");
    }
    if (!tls.cert.empty())
        expect(amqp_ssl_socket_set_key(socket, tls.cert.c_str(), tls.key.c_str()),
               "cannot read our certificate and its key");
}

void Connection::Wire::log_in(const Options& options) {
    const auto within = as_timeval(options.connect_within);
    expect(amqp_set_handshake_timeout(state, &within), "cannot set a time");
    expect(amqp_set_rpc_timeout(state, &within), "cannot set a time");
    std::vector<amqp_table_entry_t> abilities{
        yes("publisher_confirms"), yes("basic.nack"), yes("connection.blocked"),
        yes("consumer_cancel_notify"), yes("authentication_failure_close")};
    amqp_table_entry_t capabilities{};
    capabilities.key = amqp_cstring_bytes("capabilities");
    capabilities.value.kind = AMQP_FIELD_KIND_TABLE;
    capabilities.value.value.table = table_of(abilities);
    std::vector<amqp_table_entry_t> properties{entry("product", "Sluice"), capabilities};
    const auto table = table_of(properties);
    expect(amqp_login_with_properties(
               state, options.virtual_host.c_str(), kMostChannels, AMQP_DEFAULT_FRAME_SIZE,
               static_cast<int>(options.heartbeat.count()), &table, AMQP_SASL_METHOD_PLAIN,
               options.user.c_str(), options.password.c_str()),
           "cannot log in");
}

int Connection::socket() const {
    return amqp_get_sockfd(wire_->state);
}

std::optional<Event> Connection::next() {
    for (;;) {
        amqp_frame_t frame;
        const timeval at_once{};
        const int status = amqp_simple_wait_frame_noblock(wire_->state, &frame, &at_once);
        if (status == AMQP_STATUS_TIMEOUT) return std::nullopt;
        expect(status, "the connection has ended");
        auto event = wire_->take(frame);
        amqp_maybe_release_buffers(wire_->state);
        if (event) return event;
    }
}

std::optional<Event> Connection::Wire::take(const amqp_frame_t& frame) {
    if (frame.frame_type == AMQP_FRAME_METHOD) return take_method(frame.payload.method);
    if (frame.frame_type == AMQP_FRAME_HEADER) {
        const auto& head = frame.payload.properties;
        body_size = head.body_size;
        note_properties(*static_cast<const amqp_basic_properties_t*>(head.decoded),
                        arriving.message);
        return take_content_part({});
    }
    if (frame.frame_type != AMQP_FRAME_BODY) return std::nullopt;
    const auto& part = frame.payload.body_fragment;
    return take_content_part({static_cast<const char*>(part.bytes), part.len});
}

std::optional<Event> Connection::Wire::take_method(const amqp_method_t& method) {
    if (method.id == AMQP_BASIC_ACK_METHOD) {
        const auto& ack = *static_cast<const amqp_basic_ack_t*>(method.decoded);
        return Confirmed{ack.delivery_tag, ack.multiple != 0, true};
    }
    if (method.id == AMQP_BASIC_NACK_METHOD) {
        const auto& nack = *static_cast<const amqp_basic_nack_t*>(method.decoded);
        return Confirmed{nack.delivery_tag, nack.multiple != 0, false};
    }
    if (method.id == AMQP_QUEUE_DECLARE_OK_METHOD) {
        const auto& queue = *static_cast<const amqp_queue_declare_ok_t*>(method.decoded);
        return Declared{text_of(queue.queue), queue.message_count, queue.consumer_count};
    }
    if (method.id == AMQP_CONNECTION_BLOCKED_METHOD)
        return Blocked{
            text_of(static_cast<const amqp_connection_blocked_t*>(method.decoded)->reason)};
    if (method.id == AMQP_CONNECTION_UNBLOCKED_METHOD) return Unblocked{};
    if (method.id == AMQP_BASIC_RETURN_METHOD) {
        is_return = true;
        return_reason =
            text_of(static_cast<const amqp_basic_return_t*>(method.decoded)->reply_text);
        arriving = {};
    }
    if (method.id == AMQP_BASIC_DELIVER_METHOD) {
        const auto& deliver = *static_cast<const amqp_basic_deliver_t*>(method.decoded);
        is_return = false;
        arriving = {deliver.delivery_tag, deliver.redelivered != 0, {}};
    }
    if (method.id == AMQP_BASIC_CANCEL_METHOD) throw Lost("the queue was deleted or has moved");
    if (method.id == AMQP_CHANNEL_CLOSE_METHOD || method.id == AMQP_CONNECTION_CLOSE_METHOD)
        throw Lost(words_of(method));
    return std::nullopt;
}

/// The event, if its content is complete.
std::optional<Event> Connection::Wire::take_content_part(std::string_view part) {
    arriving.message.body += part;
    if (arriving.message.body.size() < body_size) return std::nullopt;
    if (is_return) return Returned{std::move(arriving.message.id), std::move(return_reason)};
    return std::move(arriving);
}

Declared Connection::declare(const Queue& queue) {
    auto arguments = arguments_of(queue);
    const auto* const declared =
        amqp_queue_declare(wire_->state, kLook, bytes_of(queue.name), /*passive=*/0, /*durable=*/1,
                           /*exclusive=*/0, /*auto_delete=*/0, table_of(arguments));
    expect(amqp_get_rpc_reply(wire_->state), "cannot declare a queue");
    return {queue.name, declared->message_count, declared->consumer_count};
}

void Connection::look_at(const Queue& queue) {
    auto arguments = arguments_of(queue);
    amqp_queue_declare_t request{};
    request.queue = bytes_of(queue.name);
    request.durable = 1;
    request.arguments = table_of(arguments);
    expect(amqp_send_method(wire_->state, kLook, AMQP_QUEUE_DECLARE_METHOD, &request),
           "the connection has ended");
}

void Connection::confirm_posts() {
    amqp_confirm_select(wire_->state, kWork);
    expect(amqp_get_rpc_reply(wire_->state), "cannot have posts confirmed");
}

void Connection::post(const Queue& queue, const Message& message) {
    amqp_basic_properties_t properties{};
    properties._flags =
        AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_MESSAGE_ID_FLAG;
    properties.content_type = bytes_of(message.content_type);
    properties.delivery_mode = AMQP_DELIVERY_PERSISTENT;
    properties.message_id = bytes_of(message.id);
    std::vector<amqp_table_entry_t> headers;
    if (!message.reason.empty()) {
        headers.push_back(
            entry(kReasonHeader, std::string_view(message.reason).substr(0, kLongestReason)));
        properties._flags |= AMQP_BASIC_HEADERS_FLAG;
        properties.headers = table_of(headers);
    }
    expect(
        amqp_basic_publish(wire_->state, kWork, amqp_empty_bytes, bytes_of(queue.name),
                           /*mandatory=*/1, /*immediate=*/0, &properties, bytes_of(message.body)),
        "the connection has ended");
}

void Connection::consume(const Queue& queue, std::uint16_t prefetch) {
    amqp_basic_qos(wire_->state, kWork, 0, prefetch, /*global=*/0);
    expect(amqp_get_rpc_reply(wire_->state), "cannot set the prefetch");
    amqp_basic_consume(wire_->state, kWork, bytes_of(queue.name), amqp_empty_bytes, /*no_local=*/0,
                       /*no_ack=*/0, /*exclusive=*/0, amqp_empty_table);
    expect(amqp_get_rpc_reply(wire_->state), "cannot consume");
}

void Connection::acknowledge(std::uint64_t tag, bool is_multiple) {
    expect(amqp_basic_ack(wire_->state, kWork, tag, is_multiple ? 1 : 0),
           "the connection has ended");
}

void Connection::close() {
    amqp_connection_close(wire_->state, AMQP_REPLY_SUCCESS);
}

}  // namespace sluice::rabbitmq
