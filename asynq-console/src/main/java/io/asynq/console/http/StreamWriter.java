package io.asynq.console.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Writes the events of one stream on a thread that may wait for the browser.
 */
record StreamWriter(EventStream stream, AsyncContext context) implements AsyncListener {

	static void start(EventStream stream, AsyncContext context, Executor writers) {
		StreamWriter writer = new StreamWriter(stream, context);
		context.setTimeout(0);
		context.addListener(writer);
		stream.start((task) -> {
			try {
				writers.execute(task);
			}
			catch (RejectedExecutionException ex) {
				// The application is being stopped, and the connection with it
				stream.close();
			}
		}, writer::write, writer::complete);
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

	private void write() {
		try {
			OutputStream out = this.context.getResponse().getOutputStream();
			for (String text = this.stream.poll(); text != null; text = this.stream.poll()) {
				out.write(text.getBytes(StandardCharsets.UTF_8));
				out.flush();
			}
		}
		catch (IOException | IllegalStateException ex) {
			// The browser is gone
			this.stream.close();
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
