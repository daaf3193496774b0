#include "http/server.hpp"

#include <algorithm>
#include <deque>
#include <thread>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <pthread.h>

#include "base/check.hpp"
#include "base/reason_of.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

using namespace std::chrono_literals;

/// How long a client waits for a place, while connections that can be spared are asked to leave.
/// Long enough for the connections of a crowd that has just come in to count as slow.
constexpr auto kPatience = 1500ms;
constexpr auto kLookAgain = 20ms;

Code code_for(Places::Full why) {
    switch (why) {
        case Places::Full::all:
            return Code::busy;
        case Places::Full::network:
            return Code::rate_limited;
        case Places::Full::blocked:
            return Code::address_blocked;
    }
    CHECK(false, "there is no place for one of these reasons");
}

std::string_view detail_for(Places::Full why) {
    switch (why) {
        case Places::Full::all:
            return "Too many connections: try again in a moment.";
        case Places::Full::network:
            return "Too many connections from your network: try again in a moment.";
        case Places::Full::blocked:
            return "The address you come from has been blocked.";
    }
    CHECK(false, "there is no place for one of these reasons");
}

/// All who are blocked together have so few places: enough for an operator among them.
std::size_t places_of_blocked(std::size_t all) {
    return std::clamp<std::size_t>(all / 64, 2, 64);
}

/// The answer to a client for whom there is no place. Its request is not read. On the loop's
/// thread.
std::string no_place(Loop& loop, Places::Full why) {
    std::array<char, kRequestIdLength> id;
    loop.request_ids().next(id);
    const ProblemContext context{.language = Language::en, .request_id = {id.data(), id.size()}};
    Response response;
    const auto code = code_for(why);
    if (why != Places::Full::blocked) write_retry_after(response, 1);
    write_problem(response, code, context, detail_for(why));
    std::string text;
    append_response(text, response,
                    {.date = loop.date(),
                     .request_id = context.request_id,
                     .keep_alive = false,
                     .https = loop.https()});
    loop.record_refusal(code);
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

/// An open listener. Whoever connects waits until a Reception accepts them.
class Server::Listener {
  public:
    Listener(Loop& loop, Places& of, const Endpoint& where, int backlog, Surfaces shown)
        : places(of), surfaces(shown), acceptor(loop.context()) {
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

    Places& places;
    const Surfaces surfaces;
    asio::basic_socket_acceptor<tcp, AsioExecutor> acceptor;
};

/// Accepts on the first loop while the server runs, and distributes the connections in turn, so
/// that every thread has its share whatever the kernel's wake-up order is. When there is no place,
/// connections that can be spared are asked to leave, and the newcomer waits for that, unread.
class Server::Reception {
  public:
    Reception(Server& server, Listener& listener, const Answering& answering)
        : server_(server),
          listener_(listener),
          answering_(answering),
          pause_(server.loops_.front()->context()),
          door_(server.loops_.front()->context()) {}

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
        door_.cancel();
        for (auto& each : waiting_) turn_away(each.socket, each.why);
        waiting_.clear();
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
                // Most likely out of file descriptors: wait until connections end.
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
        socket.set_option(tcp::no_delay(true), ignored);
        const auto guest = guest_at(peer);
        Newcomer newcomer{.socket = std::move(socket),
                          .loop = &loop,
                          .peer = peer,
                          .guest = guest,
                          .why = guest.blocked ? Places::Full::blocked : Places::Full::all,
                          .until = std::chrono::steady_clock::now() + kPatience};
        // What has come free belongs to those who wait.
        if (!some_wait_for_any_place() && give_place(newcomer)) return;
        if (!may_wait(newcomer)) return turn_away(newcomer.socket, newcomer.why);
        waiting_.push_back(std::move(newcomer));
        if (waiting_.size() == 1) tend_door();
    }

    /// A newcomer who gets a place, or an answer that says why not.
    struct Newcomer {
        Socket socket;
        Loop* loop;
        Address peer;
        Guest guest;
        Places::Full why;
        std::chrono::steady_clock::time_point until;
        bool has_place = false;
    };

    Guest guest_at(const Address& peer) const {
        if (listener_.places.bounds().of_blocked && answering_.is_blocked(peer))
            return {.from = peer, .blocked = true};
        return {answering_.is_unbounded(peer) ? std::nullopt : std::optional(peer)};
    }

    bool some_wait_for_any_place() const {
        return std::ranges::any_of(
            waiting_, [](const Newcomer& each) { return each.why == Places::Full::all; });
    }

    /// False: there is none, and the newcomer knows why.
    bool give_place(Newcomer& newcomer) {
        auto seat = listener_.places.take(newcomer.guest, newcomer.loop);
        newcomer.has_place = seat.has_value();
        if (!seat) {
            newcomer.why = seat.error();
            return false;
        }
        newcomer.loop->adopt(std::move(newcomer.socket), newcomer.peer, listener_.surfaces,
                             answering_, listener_.places, std::move(*seat));
        return true;
    }

    /// Few may wait, and fewer of one network, so that no network takes all of this room either.
    bool may_wait(const Newcomer& newcomer) {
        const auto& bounds = listener_.places.bounds();
        if (!listener_.acceptor.is_open()) return false;
        if (newcomer.guest.blocked && bounds.of_blocked == 0) return false;
        const auto most = std::clamp<std::size_t>(bounds.all / 8, 4, kMostWaiting);
        const auto site = newcomer.guest.site();
        const auto neighbours = std::ranges::count_if(
            waiting_, [&](const Newcomer& each) { return each.guest.site() == site; });
        const bool has_turn =
            site == 0 || static_cast<std::size_t>(neighbours) < std::max<std::size_t>(most / 4, 1);
        return has_turn && (waiting_.size() < most || take_turn_of_another(newcomer));
    }

    /// The line is full: whoever would get a place last gives way.
    bool take_turn_of_another(const Newcomer& newcomer) {
        auto wants = wants_of_waiting();
        wants.push_back({newcomer.why, newcomer.guest});
        const auto last = listener_.places.line_up(wants).back();
        if (last == waiting_.size()) return false;
        const auto at = waiting_.begin() + static_cast<std::ptrdiff_t>(last);
        turn_away(at->socket, at->why);
        waiting_.erase(at);
        return true;
    }

    std::vector<Places::Want> wants_of_waiting() const {
        std::vector<Places::Want> wants;
        for (const auto& each : waiting_) wants.push_back({each.why, each.guest});
        return wants;
    }

    void turn_away(Socket& socket, Places::Full why) {
        boost::system::error_code ignored;
        socket.send(asio::buffer(no_place(*server_.loops_.front(), why)), 0, ignored);
        socket.shutdown(asio::socket_base::shutdown_both, ignored);
    }

    /// While somebody waits: gives away places that have become free, and asks for those still
    /// missing.
    void tend_door() {
        const auto now = std::chrono::steady_clock::now();
        for (const auto next : listener_.places.line_up(wants_of_waiting()))
            give_place(waiting_[next]);
        std::erase_if(waiting_, [&](Newcomer& each) {
            if (each.has_place) return true;
            if (now >= each.until) turn_away(each.socket, each.why);
            return now >= each.until;
        });
        if (waiting_.empty()) return;
        for (auto& seat : listener_.places.spare(wants_of_waiting(), now)) {
            Loop& loop = *seat->loop;
            loop.ask_to_close(std::move(seat));
        }
        door_.expires_after(kLookAgain);
        door_.async_wait([this](boost::system::error_code error) {
            if (!error) tend_door();
        });
    }

    using Timer =
        asio::basic_waitable_timer<std::chrono::steady_clock,
                                   asio::wait_traits<std::chrono::steady_clock>, AsioExecutor>;

    Server& server_;
    Listener& listener_;
    const Answering& answering_;
    Timer pause_;
    Timer door_;
    std::deque<Newcomer> waiting_;
};

Server::Server(const Config& config, unsigned threads, std::size_t max_connections,
               const Site& site, std::span<const std::uint64_t> seeds)
    : site_(site),
      drain_time_(config.http.drain_seconds),
      // Operators who are blocked come in by their own listener, if there is one, and else here.
      places_({.all = max_connections,
               .of_network = config.connections_per_network(max_connections),
               .of_blocked = config.admin_listen ? 0 : places_of_blocked(max_connections)}) {
    for (unsigned i = 0; i < threads; ++i)
        loops_.push_back(std::make_unique<Loop>(i, site_, seeds[i]));
    const auto backlog = static_cast<int>(config.http.accept_backlog);
    const bool two = config.admin_listen.has_value();
    Loop& first = *loops_.front();
    listeners_.push_back(std::make_unique<Listener>(first, places_, config.listen, backlog,
                                                    Surfaces{.shop = true, .office = !two}));
    if (!two) return;
    // All operators may come from one address.
    office_places_.emplace(Places::Bounds{.all = config.http.admin_connections,
                                          .of_network = config.http.admin_connections});
    listeners_.push_back(std::make_unique<Listener>(first, *office_places_, *config.admin_listen,
                                                    backlog,
                                                    Surfaces{.shop = true, .office = true}));
}

Server::~Server() = default;

std::string Server::shop_url() const {
    return url_of(listeners_.front()->endpoint());
}
std::string Server::office_url() const {
    return url_of(listeners_.back()->endpoint());
}

std::size_t Server::connections() const {
    return places_.taken() + (office_places_ ? office_places_->taken() : 0);
}
std::uint64_t Server::asked_to_close() const {
    return places_.asked_to_close() + (office_places_ ? office_places_->asked_to_close() : 0);
}

std::vector<Executor*> Server::executors() const {
    std::vector<Executor*> executors;
    for (const auto& loop : loops_) executors.push_back(&loop->executor());
    return executors;
}

std::vector<AsioLoop*> Server::loops() const {
    std::vector<AsioLoop*> loops;
    for (const auto& loop : loops_) loops.push_back(&loop->executor());
    return loops;
}

void Server::run(const Answering& answering) {
    for (auto& listener : listeners_)
        receptions_.push_back(std::make_unique<Reception>(*this, *listener, answering));
    for (auto& reception : receptions_) reception->start();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < loops_.size(); ++i)
        threads.emplace_back([this, i, &answering] {
            pthread_setname_np(pthread_self(), ("http-" + std::to_string(i)).c_str());
            loops_[i]->run(answering.on_loop_end);
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
