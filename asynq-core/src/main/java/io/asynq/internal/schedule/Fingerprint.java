package io.asynq.internal.schedule;

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
import io.asynq.schedule.PeriodicTaskDefinition;

/**
 * Beyond Go's hash it has the options of the task, the headers and the zone
 * (docs/compatibility.md, N07).
 */
public final class Fingerprint {

	private final MessageDigest digest;

	private Fingerprint() {
		try {
			this.digest = MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This JVM has no SHA-256, which identifies periodic tasks", ex);
		}
	}

	public static String of(PeriodicTaskDefinition task) {
		Fingerprint fingerprint = new Fingerprint();
		fingerprint.add(task.spec());
		fingerprint.add(String.valueOf(task.id()));
		fingerprint.add(String.valueOf(task.zone()));
		fingerprint.add(String.valueOf(task.missedFires()));
		fingerprint.add(task.buildOptions());
		fingerprint.add(task.source());
		return HexFormat.of().formatHex(fingerprint.digest.digest());
	}

	public static String of(String... texts) {
		Fingerprint fingerprint = new Fingerprint();
		for (String text : texts) {
			fingerprint.add(text);
		}
		return HexFormat.of().formatHex(fingerprint.digest.digest());
	}

	private void add(PeriodicTaskDefinition.Source source) {
		add(source.type());
		Task task = source.fixed();
		if (task == null) {
			Class<?> asked = source.payload().getClass();
			// Lambdas and proxies have other names in each JVM
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
		// With its length, so that the parts cannot run into each other
		this.digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
		this.digest.update(bytes);
	}

}
