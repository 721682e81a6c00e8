package io.asynq.internal.enqueue;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.EnqueueInterceptor;
import io.asynq.InvalidTaskException;
import io.asynq.OutgoingTask;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

final class EnqueueInterceptors {

	private final List<EnqueueInterceptor> all;

	EnqueueInterceptors(List<EnqueueInterceptor> all) {
		this.all = List.copyOf(all);
	}

	EnqueueRequest intercept(EnqueueRequest request) {
		if (this.all.isEmpty()) {
			return request;
		}
		Outgoing task = new Outgoing(request.message());
		for (EnqueueInterceptor interceptor : this.all) {
			try {
				interceptor.beforeEnqueue(task);
			}
			catch (Throwable ex) {
				UserCode.rethrowIfFatal(ex);
				throw new AsynqException("The EnqueueInterceptor " + interceptor.getClass().getName()
						+ " failed for task " + task.id() + " (" + task.type() + "), which is not enqueued in queue "
						+ task.queue() + ": " + text(ex), ex);
			}
		}
		return task.changed ? request.withHeaders(Map.copyOf(task.headers)) : request;
	}

	/** An error of user code may fail to tell its message. */
	private static String text(Throwable error) {
		try {
			return error.getClass().getName() + ": " + error.getMessage();
		}
		catch (Throwable ex) {
			return error.getClass().getName();
		}
	}

	private static final class Outgoing implements OutgoingTask {

		private final TaskMessage message;

		private final Map<String, String> headers;

		private boolean changed;

		Outgoing(TaskMessage message) {
			this.message = message;
			this.headers = new HashMap<>(message.headers());
		}

		@Override
		public String id() {
			return this.message.id();
		}

		@Override
		public String queue() {
			return this.message.queue();
		}

		@Override
		public String type() {
			return this.message.type();
		}

		@Override
		public byte @Nullable [] payload() {
			return this.message.payload();
		}

		@Override
		public Map<String, String> headers() {
			return Collections.unmodifiableMap(this.headers);
		}

		@Override
		public void header(String name, @Nullable String value) {
			InvalidTaskException.requireText("header", name);
			this.changed = true;
			if (value != null) {
				this.headers.put(name, InvalidTaskException.requireUtf8("header", value));
			}
			else {
				this.headers.remove(name);
			}
		}

	}

}
