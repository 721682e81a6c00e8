package io.asynq.internal.arrival;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;

/** {@code null} while the slot is on its way or nobody serves it. */
record Redirection(@Nullable String master) {

	private static final Pattern ANSWER = Pattern
		.compile("\\b(?:MOVED \\d+ (?:(\\S+:\\d+))?|ASK \\d+ |TRYAGAIN |CLUSTERDOWN )");

	static @Nullable Redirection of(RuntimeException error) {
		String text = NestedExceptionUtils.getMostSpecificCause(error).getMessage();
		Matcher answer = ANSWER.matcher((text != null) ? text : "");
		if (!answer.find()) {
			return null;
		}
		String address = answer.group(1);
		// Without a host it is the node that has answered, under another port
		return new Redirection((address != null && address.lastIndexOf(':') > 0) ? address : null);
	}

}
