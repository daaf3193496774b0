#include "http/server.hpp"

#include <thread>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <pthread.h>

#include "base/reason_of.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// The answer to a client for whom no connection is left. Its request is not read. On the loop's
/// thread.
std::string full_house(Loop& loop) {
    std::array<char, kRequestIdLength> id;
    loop.request_ids().next(id);
    const std::string_view request_id(id.data(), id.size());
    Response response;
    write_retry_after(response, 1);
    write_problem(response, Code::busy, {.language = Language::en, .request_id = request_id},
                  "Too many connections: try again in a moment.");
    std::string text;
    append_response(text, response,
                    {.date = loop.date(), .request_id = request_id, .keep_alive = false});
    loop.record_refusal(Code::busy);
    return text;
}

Address address_of(const tcp::endpoint& endpoint) {
    const auto address = endpoint.address();
    Address result;
    if (address.is_v6()) {
        result.bytes = address.to_v6().to_bytes();
        return result;
    }
    return {asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4()).to_bytes()};
}

std::string url_of(const tcp::endpoint& endpoint) {
    const auto host = endpoint.address().to_string();
    const auto port = ":" + std::to_string(endpoint.port());
    return endpoint.address().is_v6() ? "http://[" + host + "]" + port : "http://" + host + port;
}

}  // namespace

/// An open listener. Whoever connects waits until a reception accepts them.
class Server::Listener {
  public:
    Listener(Loop& loop, const Endpoint& where, int backlog, Surfaces shown)
        : surfaces(shown), acceptor(loop.context()) {
        const auto name = where.host + ":" + std::to_string(where.port);
        try {
            tcp::resolver resolver(acceptor.get_executor());
            const tcp::endpoint endpoint =
                *resolver.resolve(where.host, std::to_string(where.port), tcp::resolver::passive)
                     .begin();
            acceptor.open(endpoint.protocol());
            acceptor.set_option(asio::socket_base::reuse_address(true));
            acceptor.bind(endpoint);
            acceptor.listen(backlog);
        } catch (const boost::system::system_error& error) {
            const bool taken = error.code() == asio::error::address_in_use;
            throw CannotListen("cannot listen on " + name + ": " + error.code().message() +
                               (taken ? ". Is another server running there?" : ".") +
                               " Choose another address with --listen.");
        }
    }

    tcp::endpoint endpoint() const { return acceptor.local_endpoint(); }

    const Surfaces surfaces;
    asio::basic_socket_acceptor<tcp, AsioExecutor> acceptor;
};

/// Accepts on the first loop while the server runs, and deals the connections out in turn, so that
/// every thread has its share whatever the kernel's wake-up order is.
class Server::Reception {
  public:
    Reception(Server& server, Listener& listener, const Answering& answering)
        : server_(server),
          listener_(listener),
          answering_(answering),
          pause_(server.loops_.front()->context()) {}

    void start() {
        asio::co_spawn(
            listener_.acceptor.get_executor(), accept(), [this](std::exception_ptr failure) {
                if (failure)
                    server_.site_.log.error("http.accept_failed", {{"reason", reason_of(failure)}});
            });
    }

    /// On the first loop's thread. Clients that have connected by now are still accepted: closing
    /// the listener would reset their connections.
    void close() {
        boost::system::error_code ignored;
        listener_.acceptor.non_blocking(true, ignored);
        for (std::size_t turn = 0;; ++turn) {
            Loop& loop = *server_.loops_[turn % server_.loops_.size()];
            Socket socket(loop.context());
            tcp::endpoint peer;
            boost::system::error_code none_left;
            listener_.acceptor.accept(socket, peer, none_left);
            if (none_left) break;
            welcome(loop, std::move(socket), address_of(peer));
        }
        listener_.acceptor.close(ignored);
        pause_.cancel();
    }

  private:
    Flow<> accept() {
        for (std::size_t turn = 0; listener_.acceptor.is_open(); ++turn) {
            Loop& loop = *server_.loops_[turn % server_.loops_.size()];
            tcp::endpoint peer;
            auto [error, socket] = co_await listener_.acceptor.async_accept(
                loop.context().get_executor(), peer, asio::as_tuple(use_flow));
            if (!listener_.acceptor.is_open()) co_return;
            if (error) {
                // Most likely out of file descriptors: give connections time to end.
                server_.site_.log.warn("http.accept_error", {{"reason", error.message()}});
                pause_.expires_after(std::chrono::milliseconds{100});
                co_await pause_.async_wait(asio::as_tuple(use_flow));
                continue;
            }
            welcome(loop, std::move(socket), address_of(peer));
        }
    }

    void welcome(Loop& loop, Socket socket, const Address& peer) {
        boost::system::error_code ignored;
        socket.non_blocking(true, ignored);
        if (server_.connections_.fetch_add(1, std::memory_order_relaxed) >=
            server_.max_connections_) {
            server_.connections_.fetch_sub(1, std::memory_order_relaxed);
            socket.send(asio::buffer(full_house(*server_.loops_.front())), 0, ignored);
            socket.shutdown(asio::socket_base::shutdown_both, ignored);
            return;
        }
        socket.set_option(tcp::no_delay(true), ignored);
        loop.adopt(std::move(socket), peer, listener_.surfaces, answering_);
    }

    using Timer =
        asio::basic_waitable_timer<std::chrono::steady_clock,
                                   asio::wait_traits<std::chrono::steady_clock>, AsioExecutor>;

    Server& server_;
    Listener& listener_;
    const Answering& answering_;
    Timer pause_;
};

Server::Server(const Config& config, unsigned threads, std::size_t max_connections,
               const Site& site, std::span<const std::uint64_t> seeds)
    : max_connections_(max_connections), site_(site), drain_time_(config.http.drain_seconds) {
    for (unsigned i = 0; i < threads; ++i)
        loops_.push_back(
            std::make_unique<Loop>(i, site_, seeds[i], connections_, max_connections_));
    const bool two = config.admin_listen.has_value();
    Loop& first = *loops_.front();
    listeners_.push_back(std::make_unique<Listener>(
        first, config.listen, config.http.accept_backlog, Surfaces{.shop = true, .office = !two}));
    if (two)
        listeners_.push_back(std::make_unique<Listener>(first, *config.admin_listen,
                                                        config.http.accept_backlog,
                                                        Surfaces{.shop = true, .office = true}));
}

Server::~Server() = default;

std::string Server::shop_url() const {
    return url_of(listeners_.front()->endpoint());
}
std::string Server::office_url() const {
    return url_of(listeners_.back()->endpoint());
}

std::vector<Executor*> Server::executors() const {
    std::vector<Executor*> executors;
    for (const auto& loop : loops_) executors.push_back(&loop->executor());
    return executors;
}

void Server::run(const Answering& answering) {
    for (auto& listener : listeners_)
        receptions_.push_back(std::make_unique<Reception>(*this, *listener, answering));
    for (auto& reception : receptions_) reception->start();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < loops_.size(); ++i)
        threads.emplace_back([this, i] {
            pthread_setname_np(pthread_self(), ("http-" + std::to_string(i)).c_str());
            loops_[i]->run();
        });
    for (auto& thread : threads) thread.join();
    receptions_.clear();
}

void Server::drain() {
    if (draining_.exchange(true)) {
        for (auto& loop : loops_) loop->cut_off();
        return;
    }
    Loop& first = *loops_.front();
    asio::post(first.context(), [this] {
        for (auto& reception : receptions_) reception->close();
        for (auto& loop : loops_) loop->drain(drain_time_);
    });
}

}  // namespace sluice::http
