#include <cstdlib>

#include <gtest/gtest.h>

#include "adapters/redis/client.hpp"
#include "base/outage.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"

namespace sluice::redis {
namespace {

using testing_support::eventually;
using testing_support::RedisNode;
using testing_support::RedisServer;
using testing_support::TempFolder;

/// A self-signed certificate for "localhost".
class Certificate {
  public:
    Certificate() {
        const auto command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
            "-subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout " +
            key().string() + " -out " + file().string() + " 2>/dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0) << "openssl is installed";
    }
    std::filesystem::path file() const { return folder_ / "cert.pem"; }
    std::filesystem::path key() const { return folder_ / "key.pem"; }

  private:
    TempFolder folder_;
};

class RedisTls : public testing::Test {
  protected:
    const Certificate certificate, another;
    const std::string port = testing_support::free_port();
    RedisServer server{{"--tls-port", port, "--tls-cert-file", certificate.file(), "--tls-key-file",
                        certificate.key(), "--tls-ca-cert-file", certificate.file()}};

    Options options(const char* host) const {
        auto options = server.options();
        options.places = {
            {.socket = {}, .host = host, .port = static_cast<std::uint16_t>(std::stoi(port))}};
        options.tls = TlsOptions{.authorities = certificate.file(),
                                 .certificate = certificate.file(),
                                 .key = certificate.key()};
        return options;
    }
    static std::string failure_of(const Options& options) {
        RedisNode node(options);
        std::string failure;
        eventually([&] {
            failure = node.client().health().front().failure;
            return !failure.empty();
        });
        EXPECT_THROW(node.ask({"ECHO", "x"}), Outage);
        return failure;
    }
};

TEST_F(RedisTls, SpeaksToAServerWhoseCertificateItKnows) {
    RedisNode node(options("localhost"));
    EXPECT_EQ(node.ask({"ECHO", "x"}).view().text(), "x");
}

TEST_F(RedisTls, RefusesACertificateOfAnotherHostOrAuthority) {
    EXPECT_NE(failure_of(options("127.0.0.1")).find("verify"), std::string::npos)
        << "the certificate does not name the address";
    auto stranger = options("localhost");
    stranger.tls->authorities = another.file();
    EXPECT_NE(failure_of(stranger).find("verify"), std::string::npos);
    stranger.tls->authorities = "/no/such/file";
    EXPECT_THROW(RedisNode{stranger}, std::runtime_error);
}

TEST_F(RedisTls, RefusesAServerWithoutIt) {
    const auto plain_port = testing_support::free_port();
    RedisServer plain({"--port", plain_port});
    auto to_plain = options("localhost");
    to_plain.places.front().port = static_cast<std::uint16_t>(std::stoi(plain_port));
    EXPECT_FALSE(failure_of(to_plain).empty());
}

}  // namespace
}  // namespace sluice::redis
