package io.asynq.cli.task;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.asynq.cli.terminal.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Flags that give a payload.
 */
final class PayloadFlags {

	@Option(names = { "-l", "--payload" }, paramLabel = "<payload>", description = "Payload of the task.")
	private @Nullable String payload;

	@Option(names = "--payload_file", paramLabel = "<file>", description = "File with the payload, for any bytes.")
	private @Nullable Path file;

	byte[] bytes() {
		if (this.file != null && this.payload == null) {
			try {
				return Files.readAllBytes(this.file);
			}
			catch (IOException ex) {
				throw new UsageException("--payload_file " + this.file + " cannot be read: " + ex.getMessage());
			}
		}
		if (this.payload == null || this.file != null) {
			throw new UsageException((this.payload == null) ? "required flag(s) \"payload\" not set"
					: "--payload and --payload_file exclude each other");
		}
		return this.payload.getBytes(StandardCharsets.UTF_8);
	}

}
