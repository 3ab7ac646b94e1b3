! told at 6:12: Recursive call to nonrecursive procedure 's'
program fault
  external g
  call s(g, 2)
end program
subroutine s(f, n)
  external f
  integer :: n
  call f(n)
end subroutine
subroutine g(n)
  external g
  integer :: n
  call h(n)
end subroutine
subroutine h(n)
  integer :: n
  external g
  if (n > 0) call s(g, n - 1)
end subroutine
