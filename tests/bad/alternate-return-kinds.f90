! What is passed for an alternate return is a label, and nothing else is.
subroutine load(n, *)
  implicit none
  integer n
  if (n > 3) return 1
end subroutine
program p
  implicit none
  call load(1, 2)
  call load(*10, *10)
  call load(4, *10)
10 continue
end program
