package io.asynq.internal.observation;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.TaskObservation;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Handlers may throw: an observation that has failed at the start is ended all the same,
 * because others may have started.
 */
final class MicrometerTaskObservation implements TaskObservation {

	private final MicrometerTaskObservations all;

	private final TaskObservationContext context;

	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile Observation observation = Observation.NOOP;

	MicrometerTaskObservation(MicrometerTaskObservations all, TaskObservationContext context) {
		this.all = all;
		this.context = context;
	}

	void start(Observation created) {
		this.observation = created;
		created.start();
	}

	@Override
	public Scope open() {
		return new Opened().open();
	}

	@Override
	public Map<String, String> headers(Map<String, String> own, boolean later) {
		return this.context.headers(own, later);
	}

	@Override
	public void type(String type) {
		this.context.setType(type);
	}

	@Override
	public void end(TaskOutcome outcome, @Nullable Throwable error) {
		if (!this.ended.compareAndSet(false, true)) {
			return;
		}
		this.context.setOutcome(outcome);
		if (error != null) {
			tell(error);
		}
		try {
			this.observation.stop();
		}
		catch (Throwable ex) {
			this.all.failed(ex);
		}
	}

	private void tell(Throwable error) {
		try {
			this.observation.error(error);
		}
		catch (Throwable ex) {
			this.all.failed(ex);
		}
	}

	/** Handlers may throw, but the scope must not remain open: another task is next. */
	private final class Opened implements Scope {

		private final Observation.@Nullable Scope before = MicrometerTaskObservation.this.all.registry()
			.getCurrentObservationScope();

		private Observation.Scope scope = Observation.Scope.NOOP;

		Scope open() {
			try {
				this.scope = MicrometerTaskObservation.this.observation.openScope();
			}
			catch (Throwable ex) {
				failed(ex);
			}
			return this;
		}

		@Override
		public void close() {
			try {
				this.scope.close();
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}

		private void failed(Throwable error) {
			MicrometerTaskObservation.this.all.failed(error);
			MicrometerTaskObservation.this.all.registry().setCurrentObservationScope(this.before);
		}

	}

}
