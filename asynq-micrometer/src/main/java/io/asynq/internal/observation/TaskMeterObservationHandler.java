package io.asynq.internal.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Makes the same meters as Micrometer's {@link DefaultMeterObservationHandler}, before
 * which it must come, but remembers them, because searching the registry costs more than
 * all else.
 */
public final class TaskMeterObservationHandler implements MeterObservationHandler<Observation.Context> {

	private final Map<MeterKey, Timer> timers = new ConcurrentHashMap<>();

	private final Map<MeterKey, LongTaskTimer> active = new ConcurrentHashMap<>();

	private final MeterRegistry registry;

	private final boolean showsActive;

	private final DefaultMeterObservationHandler events;

	public TaskMeterObservationHandler(MeterRegistry registry, boolean showsActive) {
		this.registry = registry;
		this.showsActive = showsActive;
		this.events = new DefaultMeterObservationHandler(registry);
		// What is removed is registered again when it is needed again
		registry.config().onMeterRemoved((meter) -> {
			this.timers.values().remove(meter);
			this.active.values().remove(meter);
		});
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof Metered;
	}

	@Override
	public void onStart(Observation.Context context) {
		LongTaskTimer.Sample running = this.showsActive ? active(MeterKey.ofRunning(context), (Metered) context).start()
				: null;
		((Metered) context).begun(new Begun(clock().monotonicTime(), running));
	}

	@Override
	public void onStop(Observation.Context context) {
		if (context instanceof Metered metered && metered.begun() instanceof Begun begun) {
			timer(MeterKey.ofEnded(context), metered).record(clock().monotonicTime() - begun.at(),
					TimeUnit.NANOSECONDS);
			if (begun.running() != null) {
				begun.running().stop();
			}
		}
	}

	@Override
	public void onEvent(Observation.Event event, Observation.Context context) {
		this.events.onEvent(event, context);
	}

	private Clock clock() {
		return this.registry.config().clock();
	}

	private LongTaskTimer active(MeterKey key, Metered context) {
		LongTaskTimer known = this.active.get(key);
		return (known != null) ? known
				: this.active.computeIfAbsent(key,
						(made) -> LongTaskTimer.builder(made.name() + ".active")
							.description(context.description() + ", of those that go on")
							.tags(made.tags())
							.register(this.registry));
	}

	private Timer timer(MeterKey key, Metered context) {
		Timer known = this.timers.get(key);
		return (known != null) ? known
				: this.timers.computeIfAbsent(key,
						(made) -> Timer.builder(made.name())
							.description(context.description())
							.tags(made.tags())
							.register(this.registry));
	}

	private record Begun(long at, LongTaskTimer.@Nullable Sample running) {
	}

}
