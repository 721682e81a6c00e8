package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.asynq.inspect.LoopInfo;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.schedule.AsynqScheduler;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class SchedulerMetricsTests {

	@Test
	void reportsLagOfScheduler() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		AsynqScheduler scheduler = mock();
		new SchedulerMetrics(scheduler, null).bindTo(registry);
		TimeGauge lag = registry.get("asynq.scheduler.lag").timeGauge();
		given(scheduler.lag()).willReturn(Duration.ofMillis(2500));
		assertThat(lag.value(TimeUnit.SECONDS)).isEqualTo(2.5);
		given(scheduler.lag()).willReturn(null);
		assertThat(lag.value()).isNaN();
	}

	@Test
	void countsProvidersThatFailOrHang() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		PeriodicTaskManager manager = mock();
		new SchedulerMetrics(mock(), manager).bindTo(registry);
		given(manager.loops()).willReturn(List.of(new LoopInfo("fine", false, null, null, null),
				new LoopInfo("fails", false, "boom", Instant.EPOCH, null),
				new LoopInfo("hangs", false, null, null, Instant.EPOCH)));
		assertThat(registry.get("asynq.scheduler.providers.failing").gauge().value()).isEqualTo(2);
	}

	@Test
	void noProviderFailsWhereThereIsNone() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		new SchedulerMetrics(mock(), null).bindTo(registry);
		assertThat(registry.get("asynq.scheduler.providers.failing").gauge().value()).isZero();
	}

}
