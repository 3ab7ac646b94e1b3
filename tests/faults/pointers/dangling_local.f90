! told at 5:12: Dangling pointer 'q'
program fault
  integer, pointer :: q
  call s(q)
  print *, q
contains
  subroutine s(p)
    integer, pointer :: p
    integer, target :: local
    local = 5
    p => local
    p = p + 1
  end subroutine
end program
