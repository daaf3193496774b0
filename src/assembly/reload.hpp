#pragma once

#include <functional>

#include "app/office/limit_editor.hpp"
#include "config/load.hpp"
#include "domain/limit_scope.hpp"
#include "observe/log.hpp"

namespace sluice {

/// What SIGHUP does. The configuration is read again from its sources, and what can change while
/// the server runs is put into force: the log's level and form, and all of [limits]. A change of
/// any other key is named in the log and waits for a restart. A configuration with an error changes
/// nothing. For one thread.
class Reload {
  public:
    /// `refresh` looks at once at what is otherwise looked at from time to time: keys, blocks, the
    /// catalog.
    Reload(Loaded loaded, Log& log, LimitScope& scope, LimitEditor& limits,
           std::function<void()> refresh);

    void run();

  private:
    void put_into_force(const Loaded& fresh);

    Loaded loaded_;
    Log& log_;
    LimitScope& scope_;
    LimitEditor& limits_;
    const std::function<void()> refresh_;
};

}  // namespace sluice
