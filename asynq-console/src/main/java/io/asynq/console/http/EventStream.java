package io.asynq.console.http;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Events on their way to one browser, as text of server-sent events. A slow browser gets
 * the newest event of each kind and misses those between. Safe for concurrent use.
 */
public final class EventStream implements AutoCloseable {

	private static final Runnable NOBODY = () -> {
	};

	private final Map<String, String> pending = new LinkedHashMap<>();

	private final Runnable whenClosed;

	private Runnable whenReady = NOBODY;

	private boolean ending;

	private boolean closed;

	EventStream(Runnable whenClosed) {
		this.whenClosed = whenClosed;
	}

	public void start(Runnable ready) {
		synchronized (this.pending) {
			this.whenReady = ready;
		}
		ready.run();
	}

	public @Nullable String poll() {
		synchronized (this.pending) {
			if (this.pending.isEmpty()) {
				return null;
			}
			String key = this.pending.keySet().iterator().next();
			return this.pending.remove(key);
		}
	}

	public boolean isOver() {
		synchronized (this.pending) {
			return this.closed || (this.ending && this.pending.isEmpty());
		}
	}

	/** Ends the stream at once; to be called when the browser is gone as well. */
	@Override
	public void close() {
		Runnable ready;
		synchronized (this.pending) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			ready = this.whenReady;
		}
		this.whenClosed.run();
		ready.run();
	}

	/** Takes the place of an event with the same key that was not taken yet. */
	void offer(String key, String text) {
		tell(key, text, false);
	}

	void end(String text) {
		tell("end", text, true);
	}

	private void tell(String key, String text, boolean last) {
		Runnable ready;
		synchronized (this.pending) {
			if (this.ending || this.closed) {
				return;
			}
			this.pending.put(key, text);
			this.ending = last;
			ready = this.whenReady;
		}
		ready.run();
	}

}
