package io.asynq.console.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Recognizes browsers on this machine.
 */
public final class DirectHosts {

	private static final Set<String> FORWARDING = Set.of("forwarded", "via", "x-real-ip", "x-client-ip",
			"true-client-ip", "cf-connecting-ip", "x-original-forwarded-for", "x-cluster-client-ip", "client-ip");

	private DirectHosts() {
	}

	/**
	 * Tells whether a request comes from this machine and not through a proxy.
	 * @param peer the address of the other end of the connection
	 * @param host the header Host: a page of another site whose name points to this
	 * machine is not let in
	 * @param headers the names of all headers
	 */
	public static boolean isDirect(@Nullable String peer, @Nullable String host, Collection<String> headers) {
		return isLoopback(peer) && isLocal(host)
				&& headers.stream()
					.map((name) -> name.toLowerCase(Locale.ROOT))
					.noneMatch((name) -> name.startsWith("x-forwarded") || FORWARDING.contains(name));
	}

	private static boolean isLocal(@Nullable String host) {
		if (host == null) {
			return false;
		}
		String name = host.replaceFirst(":\\d*$", "");
		return name.equalsIgnoreCase("localhost") || isLoopback(name.replaceAll("^\\[|]$", ""));
	}

	private static boolean isLoopback(@Nullable String address) {
		// Only what is an address: no name is looked up
		if (address == null || !address.matches("[0-9.]+|[0-9a-fA-F:.%]*:[0-9a-fA-F:.%]*")) {
			return false;
		}
		try {
			return InetAddress.getByName(address).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

}
