package io.asynq.console.servlet;

import java.util.Collections;

import io.asynq.console.http.DirectHosts;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Who is at the other end of the connection.
 */
final class Peer {

	/** Tomcat's valve has replaced the address by what a header says. */
	private static final String REPLACED_BY_TOMCAT = "org.apache.tomcat.request.forwarded";

	private Peer() {
	}

	/**
	 * Tells whether a request comes from a browser on this machine. Looks at what came
	 * over the wire: filters may have replaced the address by what a header says, and
	 * removed the header.
	 */
	static boolean isDirect(HttpServletRequest request) {
		ServletRequest innermost = request;
		while (innermost instanceof ServletRequestWrapper wrapper) {
			innermost = wrapper.getRequest();
		}
		return innermost instanceof HttpServletRequest http && http.getAttribute(REPLACED_BY_TOMCAT) == null
				&& DirectHosts.isDirect(http.getRemoteAddr(), http.getHeader("Host"),
						Collections.list(http.getHeaderNames()));
	}

}
