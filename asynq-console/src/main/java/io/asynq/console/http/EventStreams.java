package io.asynq.console.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.asynq.console.http.ConsoleEvents.Event;
import org.jspecify.annotations.Nullable;

/**
 * The open streams. Their thread lives while there are any.
 */
final class EventStreams {

	static final int MOST = 50;

	private static final String HEARTBEAT = ": \n\n";

	private static final String AGAIN = "retry: 1000\n\n";

	private static final String BYE = "event: bye\ndata: {}\n\n";

	private final @Nullable ConsoleEvents events;

	private final Function<Object, byte[]> json;

	private final Times times;

	private final Set<EventStream> open = ConcurrentHashMap.newKeySet();

	private @Nullable ScheduledThreadPoolExecutor timer;

	private boolean running = true;

	EventStreams(@Nullable ConsoleEvents events, Function<Object, byte[]> json, Times times) {
		this.events = events;
		this.json = json;
		this.times = times;
	}

	EventStream open(@Nullable String queue) {
		ConsoleEvents source = this.events;
		if (source == null) {
			throw new ConsoleException(503, "streams", "There are no events here: ask again instead");
		}
		EventStream stream = new EventStream(this::forget);
		register(stream);
		try {
			stream
				.reads(source.subscribe(queue, (event) -> stream.offer(event.name() + ' ' + event.key(), text(event))));
		}
		catch (RuntimeException ex) {
			stream.close();
			throw ex;
		}
		return stream;
	}

	synchronized void start() {
		this.running = true;
	}

	void stop() {
		synchronized (this) {
			this.running = false;
		}
		this.open.forEach((stream) -> stream.end(BYE));
	}

	synchronized boolean isRunning() {
		return this.running;
	}

	private synchronized void register(EventStream stream) {
		if (!this.running || this.open.size() >= MOST) {
			throw new ConsoleException(503, "streams", this.running
					? "There are " + MOST + " streams already: ask again instead" : "The application is being stopped");
		}
		this.open.add(stream);
		// Before the end can come: each stream begins with a sign of life
		stream.offer("heartbeat", HEARTBEAT);
		timer().schedule(() -> stream.end(AGAIN), this.times.longest().toNanos(), TimeUnit.NANOSECONDS);
	}

	private synchronized void forget(EventStream stream) {
		this.open.remove(stream);
		if (this.open.isEmpty() && this.timer != null) {
			this.timer.shutdownNow();
			this.timer = null;
		}
	}

	private ScheduledThreadPoolExecutor timer() {
		ScheduledThreadPoolExecutor running = this.timer;
		if (running == null) {
			running = new ScheduledThreadPoolExecutor(1, (task) -> {
				Thread thread = new Thread(task, "asynq-console-streams");
				thread.setDaemon(true);
				return thread;
			});
			long beat = this.times.heartbeat().toNanos();
			running.scheduleAtFixedRate(this::beat, beat, beat, TimeUnit.NANOSECONDS);
			this.timer = running;
		}
		return running;
	}

	private void beat() {
		this.open.forEach((stream) -> stream.offer("heartbeat", HEARTBEAT));
	}

	private String text(Event event) {
		return "event: " + event.name() + "\ndata: " + new String(this.json.apply(event.data()), StandardCharsets.UTF_8)
				+ "\n\n";
	}

	record Times(Duration heartbeat, Duration longest) {

		static final Times DEFAULT = new Times(Duration.ofSeconds(15), Duration.ofMinutes(10));

	}

}
