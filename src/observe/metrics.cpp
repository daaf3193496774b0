#include "observe/metrics.hpp"

#include <algorithm>
#include <iterator>

#include <prometheus/check_names.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include "base/check.hpp"

namespace sluice {

/// The gauges and counters that are read by a call.
class MetricsPage::Readings : public prometheus::Collectable {
  public:
    void add(std::string name, std::string help, prometheus::MetricType type, Read read,
             const Labels& labels) {
        CHECK(prometheus::CheckMetricName(name), "a metric needs a name Prometheus takes");
        auto family = std::ranges::find(families_, name, &Family::name);
        if (family == families_.end())
            family = families_.insert(family, {std::move(name), std::move(help), type, {}});
        CHECK(family->type == type, "metrics of one name are of one type");
        family->series.push_back({std::move(read), labels});
    }

    std::vector<prometheus::MetricFamily> Collect() const override {
        std::vector<prometheus::MetricFamily> result;
        for (const auto& family : families_) {
            auto& out = result.emplace_back();
            out.name = family.name;
            out.help = family.help;
            out.type = family.type;
            for (const auto& series : family.series) {
                auto& metric = out.metric.emplace_back();
                for (const auto& label : series.labels)
                    metric.label.push_back({label.name, label.value});
                if (family.type == prometheus::MetricType::Counter)
                    metric.counter.value = series.read();
                else
                    metric.gauge.value = series.read();
            }
        }
        return result;
    }

  private:
    struct Series {
        Read read;
        Labels labels;
    };
    struct Family {
        std::string name, help;
        prometheus::MetricType type;
        std::vector<Series> series;
    };
    std::vector<Family> families_;
};

MetricsPage::MetricsPage() : readings_(std::make_unique<Readings>()) {
    add(*readings_);
}

MetricsPage::~MetricsPage() = default;

void MetricsPage::add(const prometheus::Collectable& collectable) {
    collectables_.push_back(&collectable);
}

void MetricsPage::add_gauge(std::string name, std::string help, Read read, Labels labels) {
    readings_->add(std::move(name), std::move(help), prometheus::MetricType::Gauge, std::move(read),
                   labels);
}

void MetricsPage::add_counter(std::string name, std::string help, Read read, Labels labels) {
    readings_->add(std::move(name), std::move(help), prometheus::MetricType::Counter,
                   std::move(read), labels);
}

std::string MetricsPage::text() const {
    std::vector<prometheus::MetricFamily> families;
    for (const auto* collectable : collectables_)
        std::ranges::move(collectable->Collect(), std::back_inserter(families));
    return prometheus::TextSerializer{}.Serialize(families);
}

}  // namespace sluice
