package io.asynq.lifecycle;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What loops that start and stop together have in common.
 */
public final class Loops {

	private static final ServerPhase FIRST = ServerPhase.HEARTBEATER;

	private final BooleanSupplier autoStartup;

	private final LoopErrorLog errors;

	private final StopBudget stops;

	/** Whether all components are stopped for good, until the first one starts again. */
	private volatile boolean ended;

	private final Map<ServerPhase, Waker> wakers = new EnumMap<>(ServerPhase.class);

	/**
	 * @param autoStartup whether the loops start with the application context; evaluated
	 * when it starts
	 */
	public Loops(BooleanSupplier autoStartup, LoopErrorLog errors, StopBudget stops) {
		this.autoStartup = autoStartup;
		this.errors = errors;
		this.stops = stops;
		for (ServerPhase phase : ServerPhase.values()) {
			this.wakers.put(phase, new Waker());
		}
	}

	public LoopErrorLog errors() {
		return this.errors;
	}

	public StopBudget stops() {
		return this.stops;
	}

	/**
	 * Returns the waker of a phase, always the same one. It exists before the loop does.
	 */
	public Waker waker(ServerPhase phase) {
		return this.wakers.get(phase);
	}

	/**
	 * Lets no component start until the first one does. Spring starts them one by one:
	 * when the first task stops the whole server meanwhile, the later ones must not run
	 * on alone. Call it before they are stopped.
	 */
	public void end() {
		this.ended = true;
	}

	/**
	 * Returns whether the component of a phase may start.
	 */
	boolean mayStart(ServerPhase phase) {
		if (phase == FIRST) {
			this.ended = false;
		}
		return !this.ended;
	}

	boolean isAutoStartup() {
		return this.autoStartup.getAsBoolean();
	}

}
