package io.asynq.operations.survey;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.asynq.TaskInfo;

public record FailureKey(String type, String signature) {

	/** A task there may also wait for a limit, or have been moved there by hand. */
	public static boolean hasFailed(TaskInfo task) {
		return task.waitsFor().isEmpty() && (task.lastFailedAt() != null || task.lastError() != null);
	}

	public static FailureKey of(TaskInfo task) {
		return new FailureKey(task.type(), ErrorSignature.of(task.lastError()));
	}

	public String text() {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			digest.update(this.type.getBytes(StandardCharsets.UTF_8));
			digest.update((byte) 0);
			return HexFormat.of().formatHex(digest.digest(this.signature.getBytes(StandardCharsets.UTF_8)), 0, 12);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
