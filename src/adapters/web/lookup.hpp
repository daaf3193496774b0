#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include "base/address.hpp"
#include "base/task.hpp"
#include "base/worker_threads.hpp"

namespace sluice::web {

/// Finds the addresses of a host, and decides to which of them we may connect. Connections are made
/// to such an address and never to a name, so that no name server can lead us into a private
/// network.
class Lookup {
  public:
    /// `allowed`: networks that may be reached though they are not public. A name server that does
    /// not answer occupies one of the `resolvers` for as long as the system asks it.
    Lookup(std::vector<Network> allowed, std::size_t resolvers);

    /// Empty: the name is not known, or too many look-ups wait.
    Task<std::vector<Address>> find(std::string host);

    /// The addresses that are allowed; with TLS also those that are public.
    std::vector<Address> reachable(const std::vector<Address>& found, bool is_encrypted) const;

  private:
    const std::vector<Network> allowed_;
    WorkerThreads resolvers_;
};

std::vector<boost::asio::ip::tcp::endpoint> endpoints_of(const std::vector<Address>& addresses,
                                                         std::uint16_t port);

/// Verifies certificates against the system's authorities and, if a file is given, those in it.
/// Throws std::runtime_error when that cannot be read.
boost::asio::ssl::context make_client_tls(const std::filesystem::path& authorities);

/// Sends the name of the server that we connect to. An address is not a server name. Throws
/// boost::system::system_error.
void set_server_name(SSL* session, std::string host);

}  // namespace sluice::web
