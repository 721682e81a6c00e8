package io.asynq.observation;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.observation.MicrometerTaskObservations;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;

/**
 * Remembers the observations that have ended, each as its name and keys, and those that
 * have not.
 */
public final class RecordedObservations implements ObservationHandler<Observation.Context> {

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final List<Observation.Context> running = new CopyOnWriteArrayList<>();

	private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();

	public RecordedObservations() {
		this.registry.observationConfig().observationHandler(this);
	}

	public ObservationRegistry registry() {
		return this.registry;
	}

	public TaskObservations observations() {
		return new MicrometerTaskObservations(this.registry, null, null, null);
	}

	/**
	 * Returns what has ended of one observation, such as
	 * {@code default mail succeeded none}: queue, type, outcome and class of the error.
	 */
	public List<String> ended(String name) {
		return contexts(name).stream()
			.map((context) -> value(context, "queue") + " " + value(context, "type") + " " + value(context, "outcome")
					+ " " + ((context.getError() != null) ? context.getError().getClass().getSimpleName() : "none"))
			.toList();
	}

	public List<Observation.Context> contexts(String name) {
		return this.ended.stream().filter((context) -> name.equals(context.getName())).toList();
	}

	public List<Observation.Context> running() {
		return this.running;
	}

	@Override
	public void onStart(Observation.Context context) {
		this.running.add(context);
	}

	@Override
	public void onStop(Observation.Context context) {
		this.running.remove(context);
		this.ended.add(context);
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return true;
	}

	private static String value(Observation.Context context, String key) {
		KeyValue value = context.getLowCardinalityKeyValue(key);
		return (value != null) ? value.getValue() : "?";
	}

}
