package io.asynq.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.SocketFactory;

/**
 * Sends a request as it is written, without what a client would add or refuse.
 */
public final class RawHttp {

	private static final Pattern COOKIE = Pattern.compile("(?im)^Set-Cookie: *([^;\r\n]*)([^\r\n]*)");

	private RawHttp() {
	}

	/**
	 * Sends a request and returns the whole answer.
	 * @param lines the request's first line and its headers
	 */
	public static String send(int port, String body, String... lines) {
		return send(SocketFactory.getDefault(), port, body, lines);
	}

	/** Sends it by another kind of connection. */
	public static String send(SocketFactory sockets, int port, String body, String... lines) {
		try (Socket socket = sockets.createSocket("127.0.0.1", port)) {
			socket.setSoTimeout(60_000);
			String head = String.join("\r\n", lines) + "\r\nConnection: close\r\n"
					+ (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n") + "\r\n";
			socket.getOutputStream().write((head + body).getBytes(StandardCharsets.ISO_8859_1));
			socket.getOutputStream().flush();
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the status of an answer, 0 if the connection was closed instead. */
	public static int status(String answer) {
		return answer.matches("(?s)HTTP/1\\.[01] .*") ? Integer.parseInt(answer.substring(9, 12)) : 0;
	}

	/** Returns name and value of the cookie that an answer sets. */
	public static String cookie(String answer) {
		Matcher cookie = COOKIE.matcher(answer);
		return cookie.find() ? cookie.group(1) : "";
	}

	/** Returns the attributes of the cookie that an answer sets. */
	public static String attributes(String answer) {
		Matcher cookie = COOKIE.matcher(answer);
		return cookie.find() ? cookie.group(2) : "";
	}

}
