package io.asynq.internal.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.asynq.context.ContextPropagator;
import io.asynq.context.ContextPropagators;
import io.asynq.event.TaskEvent;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskListener;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OncePerMinute;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Logs what a listener throws, and how long it takes, once a minute for each.
 */
final class ListenerCalls {

	private static final Logger logger = OneLineLogger.of(ListenerCalls.class);

	private static final Duration SLOW = Duration.ofSeconds(1);

	private final ContextPropagators contexts;

	private final LongAdder failures = new LongAdder();

	private final LongAdder slow = new LongAdder();

	private final OncePerMinute failureLines = new OncePerMinute(System::nanoTime);

	private final OncePerMinute slowLines = new OncePerMinute(System::nanoTime);

	ListenerCalls(ContextPropagators contexts) {
		this.contexts = contexts;
	}

	void call(List<TaskListener> listeners, TaskEvent event) {
		try (ContextPropagator.Scope scope = this.contexts.openIfPossible(event.facts().task().headers())) {
			for (TaskListener listener : listeners) {
				if (listensTo(listener, event.getClass())) {
					call(listener, event);
				}
			}
		}
	}

	/**
	 * A listener that does not know wants all events.
	 */
	static boolean listensTo(TaskListener listener, Class<? extends TaskEvent> type) {
		try {
			return listener.listensTo(type);
		}
		catch (Throwable ex) {
			UserCode.tell(ex, (shown) -> logger.debug("{}#listensTo failed", listener.getClass().getName(), shown));
			return true;
		}
	}

	long failures() {
		return this.failures.sum();
	}

	long slow() {
		return this.slow.sum();
	}

	private void call(TaskListener listener, TaskEvent event) {
		String name = listener.getClass().getName();
		long begin = System.nanoTime();
		if (!UserCode.run(() -> listener.onTaskEvent(event), (shown) -> failed(name, event, shown))) {
			this.failures.increment();
		}
		// Whatever interrupt is left was meant for the listener
		Thread.interrupted();
		Duration taken = Duration.ofNanos(System.nanoTime() - begin);
		if (taken.compareTo(SLOW) > 0) {
			this.slow.increment();
			if (this.slowLines.allows(name)) {
				logger.warn(
						"{} took {} ms for an event ({}): meanwhile all events wait, and some may be dropped."
								+ " Let it pass its work to a thread of its own",
						name, taken.toMillis(), describe(event));
			}
		}
	}

	private void failed(String name, TaskEvent event, Throwable error) {
		if (this.failureLines.allows(name)) {
			logger.warn("{} failed for an event ({}), which affects no task; this is logged once a minute", name,
					describe(event), error);
		}
		else {
			logger.debug("{} failed for an event ({})", name, describe(event), error);
		}
	}

	private static String describe(TaskEvent event) {
		TaskFacts facts = event.facts();
		return "TaskEvent." + event.getClass().getSimpleName() + " of task " + facts.id() + " (" + facts.type()
				+ ") in queue " + facts.queue();
	}

}
