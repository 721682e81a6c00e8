package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.metrics.QueueMetrics;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.SchedulerListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * At most 500 entries, without those of which it is not known; must be among the
 * scheduler's listeners.
 */
final class PeriodicMetrics implements MeterBinder, SchedulerListener {

	private static final Logger logger = OneLineLogger.of(PeriodicMetrics.class);

	private final PeriodicOutcomes outcomes;

	private final List<MultiGauge> gauges = new CopyOnWriteArrayList<>();

	PeriodicMetrics(RedisBroker broker, QueueMetrics queues, Supplier<AsynqScheduler> scheduler, Clock clock) {
		this.outcomes = new PeriodicOutcomes(() -> scheduler.get().entries(), broker.fleet(), broker.tasks(), clock);
		queues.alsoRead(this::read);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.gauges.add(MultiGauge.builder("asynq.periodic.last.outcome")
			.description("Whether the last task of the periodic task has succeeded")
			.register(registry));
	}

	@Override
	public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
		if (info != null) {
			this.outcomes.enqueued(entryId, info.queue());
		}
		else if (!(error instanceof DuplicateTaskException || error instanceof TaskIdConflictException)) {
			this.outcomes.notEnqueued(entryId);
		}
	}

	private void read() {
		this.outcomes.read();
		List<Row<?>> rows = this.outcomes.known().stream().<Row<?>>map((entry) -> row(entry)).toList();
		this.gauges.forEach((gauge) -> UserCode.run(() -> gauge.register(rows), (shown) -> logger
			.warn("Periodic tasks lack meters because a meter registry or one of its filters failed", shown)));
	}

	private Row<?> row(String entry) {
		return Row.of(Tags.of("entry", entry), this.outcomes, (outcomes) -> outcomes.value(entry));
	}

}
