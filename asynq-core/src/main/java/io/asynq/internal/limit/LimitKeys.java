package io.asynq.internal.limit;

import java.nio.charset.StandardCharsets;

import io.asynq.Task;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OncePerMinute;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.limit.LimitKey;
import org.slf4j.Logger;
import org.springframework.util.DigestUtils;

/**
 * Asks users' code for keys, whatever it answers.
 */
final class LimitKeys {

	private static final Logger logger = OneLineLogger.of(LimitKeys.class);

	private static final int LONGEST = 200;

	private static final int KEPT = 150;

	private static final OncePerMinute TOLD = new OncePerMinute(System::nanoTime);

	private LimitKeys() {
	}

	static String of(String limit, LimitKey key, Task task) {
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
		if (key.length() > LONGEST) {
			text.setLength(KEPT);
			text.append('#').append(DigestUtils.md5DigestAsHex(key.getBytes(StandardCharsets.UTF_8)));
		}
		return text.toString();
	}

}
