"""Deciders, which give evidence: is this formula right? where is it defined? is there an instance against it?"""
