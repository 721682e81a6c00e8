package io.asynq.outbox.jdbc;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.asynq.inspect.LoopInfo;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether Redis can be reached is the business of the indicator {@code asynq}.
 */
final class OutboxHealthIndicator extends AbstractHealthIndicator {

	private final OutboxRelay relay;

	private final RelayCounters counters;

	private final Clock clock;

	OutboxHealthIndicator(OutboxRelay relay, RelayCounters counters, Clock clock) {
		super("The health of asynq's outbox could not be told");
		this.relay = relay;
		this.counters = counters;
		this.clock = clock;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Instant now = this.clock.instant();
		List<LoopInfo> loops = this.relay.loops(now);
		boolean dead = loops.stream().anyMatch(LoopInfo::dead);
		Optional<Instant> stalledSince = loops.stream()
			.map(LoopInfo::stalledSince)
			.filter(Objects::nonNull)
			.min(Instant::compareTo);
		Map<String, String> databases = this.relay.databases();
		if (dead || stalledSince.isPresent() || !databases.isEmpty()) {
			builder.down();
		}
		else {
			builder.status(this.relay.isRunning() ? "UP" : "OUT_OF_SERVICE");
		}
		numbers(builder, now);
		builder.withDetails(databases);
		if (dead) {
			builder.withDetail("relay", "its thread has ended");
		}
		stalledSince.ifPresent((since) -> builder.withDetail("stalledSince", since.toString()));
		Map<String, String> queues = this.relay.queues();
		if (!queues.isEmpty()) {
			builder.withDetail("failingQueues", queues);
		}
	}

	private void numbers(Health.Builder builder, Instant now) {
		OutboxNumbers numbers = this.counters.numbers();
		if (numbers == null) {
			return;
		}
		builder.withDetail("waiting", numbers.waiting()).withDetail("setAside", numbers.setAside());
		if (numbers.oldestMillis() != null) {
			builder.withDetail("oldestAge",
					Duration.between(Instant.ofEpochMilli(numbers.oldestMillis()), now).toString());
		}
	}

}
