package io.asynq.console.http;

import org.springframework.http.ContentDisposition;

import java.nio.charset.StandardCharsets;

final class Disposition {

	private Disposition() {
	}

	/** Returns a header that has the name, and no character of it that could end it. */
	static String attachment(String name) {
		String plain = name.replaceAll("[^\\p{L}\\p{N}._-]", "_");
		return ContentDisposition.attachment()
			.filename((plain.length() > 100) ? plain.substring(0, 100) : plain, StandardCharsets.UTF_8)
			.build()
			.toString();
	}

}
