package io.asynq.scheduler;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

import io.asynq.Task;
import io.asynq.TaskOptions;

/**
 * Tells whether two periodic tasks are the same in everything that counts (asynq N07, and
 * beyond: options of the task, headers, zone).
 */
final class Fingerprint {

	private final MessageDigest digest;

	private Fingerprint() {
		try {
			this.digest = MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This JVM has no SHA-256, by which periodic tasks are told apart", ex);
		}
	}

	/**
	 * Returns the fingerprint.
	 * @param task the periodic task
	 * @return hexadecimal digits
	 * @throws io.asynq.InvalidTaskException if its options make no sense
	 */
	static String of(PeriodicTask task) {
		Fingerprint fingerprint = new Fingerprint();
		fingerprint.add(task.spec());
		fingerprint.add(String.valueOf(task.id()));
		fingerprint.add(String.valueOf(task.zone()));
		fingerprint.add(String.valueOf(task.missedFires()));
		fingerprint.add(task.buildOptions());
		fingerprint.add(task.source());
		return HexFormat.of().formatHex(fingerprint.digest.digest());
	}

	/**
	 * Returns the fingerprint of texts.
	 * @param texts the texts, in their order
	 * @return hexadecimal digits
	 */
	static String of(String... texts) {
		Fingerprint fingerprint = new Fingerprint();
		for (String text : texts) {
			fingerprint.add(text);
		}
		return HexFormat.of().formatHex(fingerprint.digest.digest());
	}

	private void add(TaskSource source) {
		add(source.type());
		Task task = source.fixed();
		if (task == null) {
			Class<?> asked = source.payload().getClass();
			// Those of lambdas and proxies are called otherwise in each JVM
			add((asked.isHidden() || Proxy.isProxyClass(asked)) ? "" : asked.getName());
			return;
		}
		byte[] payload = task.payload();
		add((payload != null) ? "payload" : "none");
		add((payload != null) ? payload : new byte[0]);
		add(task.headers());
		add(task.options());
	}

	private void add(TaskOptions options) {
		add(options.toString());
		add(options.headers());
	}

	private void add(Map<String, String> headers) {
		add(String.valueOf(headers.size()));
		new TreeMap<>(headers).forEach((name, value) -> {
			add(name);
			add(value);
		});
	}

	private void add(String text) {
		add(text.getBytes(StandardCharsets.UTF_8));
	}

	private void add(byte[] bytes) {
		// With its length, so that no two parts can pass for one
		this.digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
		this.digest.update(bytes);
	}

}
