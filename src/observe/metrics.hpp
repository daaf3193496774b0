#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <prometheus/collectable.h>

namespace sluice {

/// The content of /metrics. Everything is added before the server starts; after that, text() may be
/// called from any thread.
class MetricsPage {
  public:
    using Read = std::function<double()>;  // from any thread; called at each scrape
    struct Label {
        std::string name, value;
    };
    using Labels = std::vector<Label>;

    MetricsPage();
    ~MetricsPage();

    /// Must outlive the page.
    void add(const prometheus::Collectable&);

    /// Several of the same name differ in their labels.
    void add_gauge(std::string name, std::string help, Read, Labels = {});
    void add_counter(std::string name, std::string help, Read, Labels = {});

    std::string text() const;

  private:
    class Readings;

    std::unique_ptr<Readings> readings_;
    std::vector<const prometheus::Collectable*> collectables_;
};

}  // namespace sluice
