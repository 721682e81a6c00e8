package io.asynq.console.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Writes the events of one stream, while there are any, on a thread that may wait for the
 * browser.
 */
final class StreamWriter implements AsyncListener {

	private final EventStream stream;

	private final AsyncContext context;

	private final Executor writers;

	private final AtomicInteger calls = new AtomicInteger();

	private StreamWriter(EventStream stream, AsyncContext context, Executor writers) {
		this.stream = stream;
		this.context = context;
		this.writers = writers;
	}

	static void start(EventStream stream, AsyncContext context, Executor writers) {
		StreamWriter writer = new StreamWriter(stream, context, writers);
		context.setTimeout(0);
		context.addListener(writer);
		stream.start(writer::wake);
	}

	@Override
	public void onComplete(AsyncEvent event) {
		this.stream.close();
	}

	@Override
	public void onTimeout(AsyncEvent event) {
		this.stream.close();
	}

	@Override
	public void onError(AsyncEvent event) {
		this.stream.close();
	}

	@Override
	public void onStartAsync(AsyncEvent event) {
		// There is one start only
	}

	private void wake() {
		if (this.calls.getAndIncrement() == 0) {
			try {
				this.writers.execute(this::write);
			}
			catch (RejectedExecutionException ex) {
				// The application is being stopped, and the connection with it
				this.stream.close();
			}
		}
	}

	private void write() {
		int seen;
		do {
			seen = this.calls.get();
			try {
				writePending();
			}
			catch (IOException | IllegalStateException ex) {
				// The browser is gone
				this.stream.close();
			}
			if (this.stream.isOver()) {
				complete();
				return;
			}
		}
		while (this.calls.addAndGet(-seen) != 0);
	}

	private void writePending() throws IOException {
		OutputStream out = this.context.getResponse().getOutputStream();
		for (String text = this.stream.poll(); text != null; text = this.stream.poll()) {
			out.write(text.getBytes(StandardCharsets.UTF_8));
			out.flush();
		}
	}

	private void complete() {
		this.stream.close();
		try {
			this.context.complete();
		}
		catch (IllegalStateException ex) {
			// It was completed when the browser went away
		}
	}

}
