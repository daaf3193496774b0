#pragma once

#include <memory>
#include <optional>

#include <boost/json/array.hpp>

#include "api/shop/stream_counts.hpp"
#include "api/wordings.hpp"
#include "app/streams/stream_hub.hpp"
#include "http/problem.hpp"
#include "http/web_socket_handler.hpp"
#include "ports/session_store.hpp"

namespace sluice::api {

/// One stream: reads what its client sends, and writes the hub's news as JSON.
class StreamHandler final : public http::WebSocketHandler, public StreamListener {
  public:
    /// What a stream uses besides its own socket.
    struct Parts {
        const Catalog& catalog;
        SessionStore& sessions;
        const Clock& clock;
        StreamCounts& counts;
    };
    StreamHandler(http::WebSocketSender& socket, StreamHub::Reservation reservation,
                  const Parts& parts, const SessionKey& session, http::Language language);

    void hear(std::string_view text) override;
    void end(std::string_view reason) override;

    void hear(const BuyerNews& news) override;
    void hear(SaleId sale, std::shared_ptr<const std::string> words) override;
    void dismiss(Dismissal why) override;

  private:
    void watch(const boost::json::array& ids);
    void unwatch(const boost::json::array& ids);
    void complain(http::Code code, Remark remark, boost::json::array ids = {});
    void send(const boost::json::object& message);

    http::WebSocketSender& socket_;
    const Parts parts_;
    const SessionKey session_;
    const http::Language language_;
    std::optional<StreamHub::Seat> seat_;  // until the end
};

}  // namespace sluice::api
