package io.asynq.internal.limit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TypePattern;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.OncePerMinute;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.LimitClass;
import io.asynq.limit.LimitKey;
import io.asynq.limit.TaskLimit;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.util.DigestUtils;

public final class LimitRules {

	private static final Logger logger = OneLineLogger.of(LimitRules.class);

	private static final int LONGEST_KEY = 200;

	private static final int KEPT_OF_KEY = 150;

	private static final OncePerMinute TOLD = new OncePerMinute(System::nanoTime);

	private final TaskHandlerFunction handler;

	private final ServerOptions options;

	private final boolean queuesAreLimited;

	public LimitRules(TaskHandlerFunction handler, ServerOptions options) {
		this.handler = handler;
		this.options = options;
		this.queuesAreLimited = options.queues()
			.weights()
			.keySet()
			.stream()
			.anyMatch((queue) -> !names(queue).isEmpty());
	}

	boolean areNone() {
		return !this.queuesAreLimited && handlers().isEmpty();
	}

	/** Returns {@code null} if no limit applies. */
	@Nullable LimitClass of(TaskMessage message) {
		HandlerLimits limits = (this.handler instanceof TaskMux mux) ? mux.limits(message.type())
				: HandlerLimits.none();
		List<String> queue = names(message.queue());
		if (limits.isEmpty() && queue.isEmpty()) {
			return null;
		}
		List<String> needs = new ArrayList<>();
		limits.names().forEach((name) -> needs.add(need(name, message)));
		queue.forEach((name) -> needs.add(need(name, message)));
		HandlerLimits.Own own = limits.own();
		if (own != null) {
			needs.add(LimitClass.need(own.name()));
		}
		return LimitClass.of(message.queue(), needs);
	}

	Map<String, LimitRule> announced() {
		Map<String, LimitRule> rules = new LinkedHashMap<>();
		this.options.limits().forEach((name, limit) -> rules.put(name, LimitRule.of(limit)));
		for (HandlerLimits limits : handlers().values()) {
			HandlerLimits.Own own = limits.own();
			if (own != null) {
				rules.put(own.name(), LimitRule.of(TaskLimit.concurrent(own.concurrent())));
			}
		}
		return rules;
	}

	void check() {
		handlers().forEach((pattern, limits) -> limits.names().forEach((name) -> {
			if (!this.options.limits().containsKey(name)) {
				throw new IllegalStateException("The handler for '" + pattern.text() + "' has the limit '" + name
						+ "', which is not configured: set 'asynq.limits." + name + ".concurrent' or 'asynq.limits."
						+ name + ".rate', or call ServerOptions.Builder.limit");
			}
		}));
	}

	private Map<TypePattern, HandlerLimits> handlers() {
		return (this.handler instanceof TaskMux mux) ? mux.limits() : Map.of();
	}

	private List<String> names(String queue) {
		return this.options.limitsOf(queue);
	}

	private String need(String name, TaskMessage message) {
		TaskLimit limit = this.options.limits().get(name);
		return (limit != null && limit.key() != null) ? LimitClass.need(name, key(name, limit.key(), message.toTask()))
				: LimitClass.need(name);
	}

	/** Whatever the user's code answers. */
	private static String key(String limit, LimitKey key, Task task) {
		try {
			String found = key.key(task);
			return (found != null) ? usable(found) : "";
		}
		catch (Throwable ex) {
			UserCode.tell(ex, (shown) -> {
				if (TOLD.allows(limit)) {
					logger.error("The LimitKey of limit '{}' failed for a task of type {}: it has no key", limit,
							task.type(), shown);
				}
			});
			return "";
		}
	}

	private static String usable(String key) {
		StringBuilder text = new StringBuilder(key);
		for (int i = 0; i < text.length(); i++) {
			if (Character.isISOControl(text.charAt(i))) {
				text.setCharAt(i, ' ');
			}
		}
		if (key.length() > LONGEST_KEY) {
			text.setLength(KEPT_OF_KEY);
			text.append('#').append(DigestUtils.md5DigestAsHex(key.getBytes(StandardCharsets.UTF_8)));
		}
		return text.toString();
	}

}
