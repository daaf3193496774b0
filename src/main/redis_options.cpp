#include "main/redis_options.hpp"

#include "base/check.hpp"
#include "config/hot_url.hpp"
#include "main/password.hpp"

namespace sluice {

redis::Options redis_options(const Config::Hot& hot) {
    redis::Options options;
    for (const auto& text : hot.url) {
        const auto url = HotUrl::parse(text);
        CHECK(url.has_value(), "the configuration was checked");
        options.places.push_back({.socket = url->socket, .host = url->host, .port = url->port});
        options.database = url->database;
        if (url->is_tls)
            options.tls = {
                .authorities = hot.tls_ca, .certificate = hot.tls_cert, .key = hot.tls_key};
    }
    options.user = hot.user;
    options.password = read_password(hot.password, hot.password_file, "hot.password_file");
    options.prefix = hot.prefix;
    return options;
}

}  // namespace sluice
