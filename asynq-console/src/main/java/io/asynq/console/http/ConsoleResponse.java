package io.asynq.console.http;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

public record ConsoleResponse(int status, Map<String, String> headers, byte[] body, Outcome outcome,
		@Nullable EventStream stream) {

	static ConsoleResponse of(int status, String mediaType, byte[] body) {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Content-Type", mediaType);
		return new ConsoleResponse(status, headers, body, Outcome.ANSWER, null);
	}

	static ConsoleResponse of(EventStream stream) {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Content-Type", "text/event-stream;charset=UTF-8");
		// nginx would hold events back
		headers.put("X-Accel-Buffering", "no");
		return new ConsoleResponse(200, headers, new byte[0], Outcome.STREAM, stream);
	}

	ConsoleResponse with(String header, String value) {
		this.headers.put(header, value);
		return this;
	}

	ConsoleResponse as(Outcome other) {
		return new ConsoleResponse(this.status, this.headers, this.body, other, this.stream);
	}

	public enum Outcome {

		ANSWER,

		STREAM,

		/**
		 * Have Spring Security refuse a page, so that the user is asked to log in as
		 * everywhere else; send the answer if nothing would do that.
		 */
		PAGE_DENIED

	}

}
