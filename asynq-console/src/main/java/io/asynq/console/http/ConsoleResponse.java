package io.asynq.console.http;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * With {@code pageDenied} Spring Security is to refuse a page, so that the user is asked
 * to log in as everywhere else; the answer is sent if nothing would do that.
 */
public record ConsoleResponse(int status, Map<String, String> headers, byte[] body, boolean pageDenied,
		@Nullable EventStream stream) {

	static ConsoleResponse of(int status, String mediaType, byte[] body) {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Content-Type", mediaType);
		return new ConsoleResponse(status, headers, body, false, null);
	}

	static ConsoleResponse of(EventStream stream) {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Content-Type", "text/event-stream;charset=UTF-8");
		// nginx would hold events back
		headers.put("X-Accel-Buffering", "no");
		return new ConsoleResponse(200, headers, new byte[0], false, stream);
	}

	ConsoleResponse with(String header, String value) {
		this.headers.put(header, value);
		return this;
	}

	ConsoleResponse asPageDenied() {
		return new ConsoleResponse(this.status, this.headers, this.body, true, this.stream);
	}

}
