package io.asynq.archfixture.broker;

import com.google.protobuf.AbstractMessage;

/**
 * Breaks: generated messages lie below the adapter.
 */
public abstract class GeneratedAtTheWrongPlace extends AbstractMessage {

}
