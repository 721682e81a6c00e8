package io.asynq.benchmarks.peer;

/** A number and padding, 64 characters; an asynq message then has about 150 bytes. */
public final class Payload {

	private static final int DIGITS = 8;

	private static final String FILLING = "-".repeat(64 - DIGITS);

	private Payload() {
	}

	public static String of(int number) {
		String digits = String.valueOf(100_000_000 + number);
		return digits.substring(1) + FILLING;
	}

	public static int number(byte[] payload) {
		int number = 0;
		for (int i = 0; i < DIGITS; i++) {
			number = number * 10 + payload[i] - '0';
		}
		return number;
	}

	public static int number(String payload) {
		return Integer.parseInt(payload, 0, DIGITS, 10);
	}

}
