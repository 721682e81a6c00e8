package io.asynq.console.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Who has a token may do everything. It is exchanged for a pass, which has its end and a
 * signature: every instance with the same token knows it without having seen it before.
 */
public final class TokenRights implements ConsoleRights {

	private static final Logger logger = OneLineLogger.of(TokenRights.class);

	/** Some clients quote the values of cookies. */
	private static final Pattern PASS = Pattern.compile("\"?(\\d{1,12})\\.([A-Za-z0-9_-]{43})\"?");

	private static final int WRONG_PER_MINUTE = 10;

	private final InstantSource clock;

	private final String token;

	private final boolean once;

	private final byte[] key;

	private boolean used;

	private long minute;

	private int wrong;

	private TokenRights(String token, boolean once, InstantSource clock) {
		this.token = token;
		this.once = once;
		this.clock = clock;
		this.key = mac(bytes(token), "asynq console pass");
	}

	public static TokenRights once(InstantSource clock) {
		byte[] random = new byte[32];
		new SecureRandom().nextBytes(random);
		return new TokenRights(text(random), true, clock);
	}

	public static TokenRights fixed(String token, InstantSource clock) {
		return new TokenRights(token, false, clock);
	}

	public @Nullable String shownToken() {
		return this.once ? this.token : null;
	}

	@Override
	public UnaryOperator<String> tokenExchange() {
		return this::exchange;
	}

	synchronized String exchange(String given) {
		long now = this.clock.instant().getEpochSecond();
		if (now / 60 != this.minute) {
			this.minute = now / 60;
			this.wrong = 0;
		}
		if (this.wrong >= WRONG_PER_MINUTE) {
			throw new ConsoleException(429, "token", "Too many wrong tokens have come: try again in a minute");
		}
		if (!MessageDigest.isEqual(mac(this.key, given), mac(this.key, this.token))) {
			if (this.wrong++ == 0) {
				logger.warn("The asynq console has refused a wrong token");
			}
			throw new ConsoleException(403, "token",
					"This is not the token of the console. " + (this.once
							? "It is another one since the application has started again: its log has the link."
							: "It is the value of asynq.console.token."));
		}
		if (this.once && this.used) {
			throw new ConsoleException(403, "token",
					"This link has been used already, and lets nobody in a second time. If it was by this browser, open"
							+ " the console without the token. For a new link restart the application, or set"
							+ " asynq.console.token to a token that can be used more than once.");
		}
		this.used = true;
		String end = String.valueOf(now + TokenPage.LIFE.toSeconds());
		return end + '.' + text(mac(this.key, end));
	}

	@Override
	public boolean allow(Origin origin, ConsoleRight right, @Nullable String queue) {
		return origin.passes().stream().anyMatch(this::isValid);
	}

	@Override
	public String refusal(Origin origin) {
		return this.once
				? "Open the link with the token that the application has logged at its start. It can be used once: for"
						+ " another one restart the application, or set asynq.console.token."
				: "Enter the value of asynq.console.token.";
	}

	private boolean isValid(String pass) {
		var parts = PASS.matcher(pass);
		return parts.matches() && Long.parseLong(parts.group(1)) > this.clock.instant().getEpochSecond()
				&& MessageDigest.isEqual(bytes(parts.group(2)), bytes(text(mac(this.key, parts.group(1)))));
	}

	private static byte[] mac(byte[] key, String text) {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(key, "HmacSHA256"));
			return mac.doFinal(bytes(text));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

}
