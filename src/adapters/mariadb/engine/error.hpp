#pragma once

#include <string>

#include "adapters/sql/store_error.hpp"

namespace sluice::mariadb {

/// An error that the server, or the client library, has reported.
class Error : public StoreError {
  public:
    Error(unsigned code, const std::string& what) : StoreError(what), code_(code) {}

    unsigned code() const { return code_; }  // 1000 and more: the server's; 2000 to 2999: ours

    bool is_outage() const override;
    bool is_read_only() const override;
    bool is_retry() const override;

    /// The connection is lost, and with it any open transaction.
    bool is_lost() const;

    /// A row with the same key exists.
    bool is_duplicate() const;

  private:
    unsigned code_;
};

}  // namespace sluice::mariadb
