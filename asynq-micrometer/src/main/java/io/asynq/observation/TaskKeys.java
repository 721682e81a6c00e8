package io.asynq.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.event.TaskOutcome;
import io.asynq.observation.AsynqObservation.LowCardinalityKey;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many values each key has.
 */
final class TaskKeys {

	private static final int MOST_QUEUES = 500;

	private static final int MOST_TYPES = 100;

	private final CappedNames queues = new CappedNames(LowCardinalityKey.QUEUE.asString(), MOST_QUEUES);

	private final CappedNames types = new CappedNames(LowCardinalityKey.TYPE.asString(), MOST_TYPES);

	/** Sorted once; there are no more of them than meters. */
	private final Map<Low, KeyValues> known = new ConcurrentHashMap<>();

	private final Map<String, String> spans = new ConcurrentHashMap<>();

	private final String verb;

	TaskKeys(String verb) {
		this.verb = verb;
	}

	String queue(String queue) {
		return this.queues.of(queue);
	}

	String span(String type) {
		String known = this.spans.get(type);
		return (known != null) ? known
				: this.spans.computeIfAbsent(this.types.of(type), (capped) -> this.verb + " " + capped);
	}

	KeyValues low(String queue, @Nullable String type, @Nullable TaskOutcome outcome) {
		String typed = (type != null) ? type : KeyValue.NONE_VALUE;
		String ended = (outcome != null) ? outcome.value() : KeyValue.NONE_VALUE;
		// Names that are too many are never known
		KeyValues known = this.known.get(new Low(queue, typed, ended));
		return (known != null) ? known : this.known
			.computeIfAbsent(new Low(queue(queue), (type != null) ? this.types.of(type) : typed, ended), Low::keys);
	}

	private record Low(String queue, String type, String outcome) {

		KeyValues keys() {
			return KeyValues.of(LowCardinalityKey.QUEUE.withValue(this.queue),
					LowCardinalityKey.TYPE.withValue(this.type), LowCardinalityKey.OUTCOME.withValue(this.outcome));
		}

	}

}
