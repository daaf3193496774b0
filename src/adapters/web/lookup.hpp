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

/// Finds the addresses of a host, and says which of them we may connect to. Whoever connects does
/// so to such an address and never to a name, so that no name server can lead us inside.
class Lookup {
  public:
    /// `allowed`: networks that are reached though they are not public. A name server that does
    /// not answer keeps one of the `resolvers` for as long as the system asks it.
    Lookup(std::vector<Network> allowed, std::size_t resolvers);

    /// None: the name is not known, or too many wait to be looked up.
    Task<std::vector<Address>> find(std::string host);

    /// Those that are allowed; if what is said is encrypted, also those that are public.
    std::vector<Address> reachable(const std::vector<Address>& found, bool is_encrypted) const;

  private:
    const std::vector<Network> allowed_;
    WorkerThreads resolvers_;
};

std::vector<boost::asio::ip::tcp::endpoint> endpoints_of(const std::vector<Address>& addresses,
                                                         std::uint16_t port);

/// Verifies certificates against the system's authorities and, when given, those of a file. Throws
/// std::runtime_error when that cannot be read.
boost::asio::ssl::context make_client_tls(const std::filesystem::path& authorities);

/// Names the server that we want to talk to. An address is no server name. Throws
/// boost::system::system_error.
void set_server_name(SSL* session, std::string host);

}  // namespace sluice::web
