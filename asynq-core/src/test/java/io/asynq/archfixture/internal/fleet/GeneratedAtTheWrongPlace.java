package io.asynq.archfixture.internal.fleet;

import com.google.protobuf.AbstractMessage;

/**
 * Breaks the rule that generated messages belong to the adapter.
 */
public abstract class GeneratedAtTheWrongPlace extends AbstractMessage {

}
