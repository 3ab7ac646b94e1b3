! Programs without a header, directives before one, contained units.
!tl$ file directive
x = 1
call s
contains
  subroutine s
  end subroutine
end
!hpf$ processors p(4)
subroutine t
end subroutine t
