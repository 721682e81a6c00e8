package io.asynq.console.http;

import java.nio.charset.StandardCharsets;

import org.springframework.http.ContentDisposition;

public record ConsoleFile(String name, String mediaType, byte[] content) {

	/** No character of the name could end the header. */
	String disposition() {
		String plain = this.name.replaceAll("[^\\p{L}\\p{N}._-]", "_");
		return ContentDisposition.attachment()
			.filename((plain.length() > 100) ? plain.substring(0, 100) : plain, StandardCharsets.UTF_8)
			.build()
			.toString();
	}

}
