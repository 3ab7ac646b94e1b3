! What would cost too much time or memory is refused.
program w
integer, parameter :: n = 2000000000
integer, parameter :: a(3) = [(i, i=1,n)]
integer, parameter :: d(n) = 1
character(n) c
parameter (c = 'x')
character(*), parameter :: e = repeat('ab', n)
real x(n,n)
data x /1.0/
end
