package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.info.LimitInfo;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Meters of limits over all servers.
 */
class LimitMetersTests {

	private final AtomicLong nanos = new AtomicLong();

	private final FakeLimits limits = new FakeLimits();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final AtomicInteger demands = new AtomicInteger();

	private final LimitMeters meters = new LimitMeters(this.limits, Duration.ofMinutes(1), this.nanos::get);

	@Test
	void showHowManyTasksRunAndWait() {
		this.limits.present = List.of(new LimitInfo("pdf", 3, null, 2, 40, 1));
		this.meters.bindTo(this.registry, this.demands::incrementAndGet);
		this.meters.read();
		assertThat(value("held", "pdf")).isEqualTo(2);
		assertThat(value("waiting", "pdf")).isEqualTo(40);
		assertThat(this.demands).as("read by somebody").hasValue(2);
	}

	@Test
	void comeAndGoWithLimits() {
		this.limits.present = List.of(new LimitInfo("pdf", 3, null, 2, 40, 1));
		this.meters.bindTo(this.registry, this.demands::incrementAndGet);
		this.meters.read();
		this.limits.present = List.of(new LimitInfo("bank", 0, "10/s", 1, 0, 1));
		this.meters.read();
		assertThat(this.registry.find("asynq.limit.held").tag("limit", "pdf").gauge()).isNull();
		assertThat(value("held", "bank")).isOne();
	}

	@Test
	void valuesThatAreTooOldAreUnknown() {
		this.limits.present = List.of(new LimitInfo("pdf", 3, null, 2, 40, 1));
		this.meters.bindTo(this.registry, this.demands::incrementAndGet);
		this.meters.read();
		this.limits.present = null;
		this.nanos.addAndGet(Duration.ofSeconds(59).toNanos());
		this.meters.read();
		assertThat(value("held", "pdf")).isEqualTo(2);
		this.nanos.addAndGet(Duration.ofSeconds(2).toNanos());
		assertThat(value("held", "pdf")).isNaN();
	}

	private double value(String name, String limit) {
		return this.registry.get("asynq.limit." + name).tag("limit", limit).gauge().value();
	}

}
