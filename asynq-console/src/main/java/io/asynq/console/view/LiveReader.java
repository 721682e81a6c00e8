package io.asynq.console.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.asynq.BrokerUnavailableException;
import io.asynq.console.http.ConsoleEvents;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Reads Redis every so often while somebody is subscribed, and tells all subscribers: ten
 * cost Redis what one costs. Its thread lives as long. Safe for concurrent use.
 */
public final class LiveReader implements ConsoleEvents {

	private static final Logger logger = OneLineLogger.of(LiveReader.class);

	private final Set<Subscriber> subscribers = new LinkedHashSet<>();

	private final Supplier<State> reading;

	private final Function<State, Object> overview;

	private final Duration interval;

	private @Nullable ScheduledThreadPoolExecutor thread;

	private @Nullable Event last;

	private @Nullable State lastState;

	private boolean failing;

	public LiveReader(Supplier<State> reading, Function<State, Object> overview, Duration interval) {
		this.reading = reading;
		this.overview = overview;
		this.interval = interval;
	}

	@Override
	public Subscription subscribe(@Nullable String queue, Consumer<Event> subscriber) {
		Subscriber subscribed = new Subscriber(queue, subscriber);
		Event known;
		Event counts;
		synchronized (this) {
			this.subscribers.add(subscribed);
			boolean reads = this.thread != null;
			// What was read before a pause is old
			known = reads ? this.last : null;
			counts = reads ? counts(queue) : null;
			if (!reads) {
				start();
			}
		}
		subscribed.tell(known);
		subscribed.tell(counts);
		return () -> unsubscribe(subscribed);
	}

	public void tell(Event event) {
		for (Subscriber subscriber : present()) {
			subscriber.tell(event);
		}
	}

	public synchronized int subscribers() {
		return this.subscribers.size();
	}

	private synchronized void unsubscribe(Subscriber subscriber) {
		this.subscribers.remove(subscriber);
		if (this.subscribers.isEmpty() && this.thread != null) {
			this.thread.shutdownNow();
			this.thread = null;
			this.last = null;
			this.lastState = null;
		}
	}

	private void start() {
		ScheduledThreadPoolExecutor started = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread reader = new Thread(task, "asynq-console-live");
			reader.setDaemon(true);
			return reader;
		});
		started.setRemoveOnCancelPolicy(true);
		started.scheduleWithFixedDelay(this::read, 0, this.interval.toNanos(), TimeUnit.NANOSECONDS);
		this.thread = started;
	}

	private void read() {
		try {
			State state = this.reading.get();
			Event overview = new Event("overview", "", this.overview.apply(state));
			List<Runnable> told = new ArrayList<>();
			synchronized (this) {
				if (Thread.currentThread().isInterrupted() || this.subscribers.isEmpty()) {
					return;
				}
				this.last = overview;
				this.lastState = state;
				this.subscribers.forEach((subscriber) -> {
					Event counts = counts(subscriber.queue);
					told.add(() -> {
						subscriber.tell(overview);
						subscriber.tell(counts);
					});
				});
			}
			told.forEach(Runnable::run);
			this.failing = false;
		}
		catch (RuntimeException ex) {
			if (!this.failing && !Thread.currentThread().isInterrupted()) {
				this.failing = true;
				logger.warn("The console cannot read Redis, and goes on trying: {}", ex.getMessage());
			}
			logger.debug("The console cannot read Redis", ex);
			if (ex instanceof BrokerUnavailableException && !Thread.currentThread().isInterrupted()) {
				tell(new Event("away", "", Map.of("error", String.valueOf(ex.getMessage()))));
			}
		}
	}

	private @Nullable Event counts(@Nullable String queue) {
		State read = this.lastState;
		return (queue != null && read != null)
				? QueueCounts.of(read, queue).map((counts) -> new Event("queue", queue, counts)).orElse(null) : null;
	}

	private synchronized List<Subscriber> present() {
		return List.copyOf(this.subscribers);
	}

	private static final class Subscriber {

		private final @Nullable String queue;

		private final Consumer<Event> consumer;

		Subscriber(@Nullable String queue, Consumer<Event> consumer) {
			this.queue = queue;
			this.consumer = consumer;
		}

		void tell(@Nullable Event event) {
			if (event == null) {
				return;
			}
			try {
				this.consumer.accept(event);
			}
			catch (RuntimeException ex) {
				// One that has gone must not keep the others from being told
				logger.debug("A subscriber of the console has failed", ex);
			}
		}

	}

}
